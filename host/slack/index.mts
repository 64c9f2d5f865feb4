import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '../shared/until.mts';
import { certificateFor } from './certificate.mts';
import { closer, listen, readText } from '../shared/listen.mts';
import { startPage } from './page.mts';
import { startProxy } from './proxy.mts';

/** A call to Slack's API. */
export interface SlackCall {
	/** E.g. `chat.postMessage`. */
	method: string;
	authorization: string;
	body: Record<string, unknown>;
	at: Date;
}

export interface Slack {
	/** Where people read the messages. */
	url: string;
	/** With these settings an n8n reaches this Slack at https://slack.com, and believes it is Slack. */
	env: Record<string, string>;
	/** Every call so far. */
	calls: SlackCall[];
	/** What was posted to a channel, e.g. `#payments`. */
	posted: (channel: string) => string[];
	/** Waits until a channel has at least that many messages. */
	messages: (channel: string, count?: number) => Promise<string[]>;
	close: () => Promise<void>;
}

const HOST = 'slack.com';
const POST = 'chat.postMessage';

/** What somebody types into n8n's credential for Slack. */
export const TOKEN = 'xoxb-stand-in';

/** What plays Slack: its API as far as our examples use it, behind a proxy, and a page to read in. */
export async function startSlack(port = 0): Promise<Slack> {
	const calls: SlackCall[] = [];
	const certificate = certificateFor(HOST);
	const server = createServer(certificate, (request, response) => {
		void readText(request).then((text) => {
			const call: SlackCall = {
				method: new URL(request.url ?? '', `https://${HOST}`).pathname.replace('/api/', ''),
				authorization: request.headers.authorization ?? '',
				body: parse(text, request.headers['content-type']),
				at: new Date(),
			};
			calls.push(call);
			response.setHeader('Content-Type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(answer(call)));
		});
	});
	const closeServer = closer(server);
	const proxy = await startProxy({ [`${HOST}:443`]: await listen(server) });
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-slack-'));
	const trusted = join(folder, 'certificate.pem');
	await writeFile(trusted, certificate.cert);

	const page = await startPage(port, () => calls.filter(({ method }) => method === POST));
	const posted = (channel: string) =>
		calls
			.filter(({ method, body }) => method === POST && body.channel === channel)
			.map(({ body }) => String(body.text));
	return {
		url: page.url,
		// The small letters are asked first, where both are set.
		env: Object.fromEntries(
			['HTTPS_PROXY', 'https_proxy']
				.map((name) => [name, proxy.url])
				.concat(['NO_PROXY', 'no_proxy'].map((name) => [name, '127.0.0.1,localhost']))
				.concat([['NODE_EXTRA_CA_CERTS', trusted]]),
		) as Record<string, string>,
		calls,
		posted,
		messages: async (channel, count = 1) =>
			await until(`${count} messages in ${channel}`, async () => {
				const found = posted(channel);
				return found.length < count ? undefined : found;
			}),
		close: async () => {
			await page.close();
			await proxy.close();
			await closeServer();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

function parse(text: string, type = ''): Record<string, unknown> {
	if (type.includes('json')) return JSON.parse(text || '{}') as Record<string, unknown>;
	return Object.fromEntries(new URLSearchParams(text));
}

/** As Slack answers: always 200, with `ok`. */
function answer({ method, authorization, body }: SlackCall): Record<string, unknown> {
	if (!/^Bearer xoxb-/.test(authorization)) return { ok: false, error: 'invalid_auth' };
	if (method !== POST) return { ok: false, error: 'unknown_method' };
	if (!body.channel) return { ok: false, error: 'channel_not_found' };
	if (!body.text) return { ok: false, error: 'no_text' };
	return { ok: true, channel: body.channel, ts: '1700000000.000100', message: { text: body.text } };
}
