import { appendFileSync, mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { generate } from 'selfsigned';

import { until } from '../shared/until.mts';
import { close, listen } from '../shared/listen.mts';
import { startMessages } from './page.mts';
import { startProxy } from './proxy.mts';

/** A call to Slack's API. */
interface SlackCall {
	/** E.g. `chat.postMessage`. */
	method: string;
	authorization: string;
	body: Record<string, unknown>;
	at: Date;
}

/** A button of a message. */
export interface Button {
	label: string;
	url: string;
}

export interface Slack {
	/** The page that shows the messages. */
	url: string;
	/** With these settings an n8n reaches this server at https://slack.com, and trusts it. */
	env: Record<string, string>;
	/** Every call so far. */
	calls: SlackCall[];
	/** What was posted to a channel, e.g. `#payments`. */
	posted: (channel: string) => string[];
	/** The buttons of the newest message in a channel that has some, each with the address it opens. */
	buttons: (channel: string) => Button[];
	/** Waits until a channel has at least that many messages. */
	messages: (channel: string, count?: number) => Promise<string[]>;
	close: () => Promise<void>;
}

const HOST = 'slack.com';
const LOCAL = '127.0.0.1,localhost';
const POST = 'chat.postMessage';

/** The access token for n8n's Slack credential. */
export const TOKEN = 'xoxb-stand-in';

/**
 * A stand-in for Slack: its API as far as our examples use it, and a page to read the messages, which
 * are kept in `file` for the next start.
 */
export async function startSlack(port = 0, file?: string): Promise<Slack> {
	const calls: SlackCall[] = file === undefined ? [] : await readCalls(file);
	const { private: key, cert } = await generate([{ name: 'commonName', value: HOST }], {
		keyType: 'ec',
		algorithm: 'sha256',
	});
	const server = createServer({ key, cert }, (request, response) => {
		void text(request).then((content) => {
			const call: SlackCall = {
				method: new URL(request.url ?? '', `https://${HOST}`).pathname.replace('/api/', ''),
				authorization: request.headers.authorization ?? '',
				body: parse(content, request.headers['content-type']),
				at: new Date(),
			};
			calls.push(call);
			if (file !== undefined) keepCall(file, call);
			response.setHeader('Content-Type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(answer(call)));
		});
	});
	const proxy = await startProxy(`${HOST}:443`, await listen(server));
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-slack-'));
	const certificate = join(folder, 'certificate.pem');
	await writeFile(certificate, cert);

	const messages = () =>
		calls
			.filter(({ method }) => method === POST)
			.map(({ body, at }) => ({
				channel: String(body.channel),
				text: textOf(body),
				buttons: buttonsOf(body),
				at,
			}));
	const page = await startMessages(port, messages);
	const messagesIn = (channel: string) => messages().filter((each) => each.channel === channel);
	const posted = (channel: string) => messagesIn(channel).map(({ text }) => text);
	return {
		url: page.url,
		// In both spellings: the machine may have set either, and lower case wins.
		env: {
			HTTPS_PROXY: proxy.url,
			https_proxy: proxy.url,
			NO_PROXY: LOCAL,
			no_proxy: LOCAL,
			NODE_EXTRA_CA_CERTS: certificate,
		},
		calls,
		posted,
		buttons: (channel) =>
			messagesIn(channel)
				.map(({ buttons }) => buttons)
				.filter((buttons) => buttons.length > 0)
				.at(-1) ?? [],
		messages: async (channel, count = 1) =>
			await until(`${count} messages in ${channel}`, async () => {
				const found = posted(channel);
				return found.length < count ? undefined : found;
			}),
		close: async () => {
			await page.close();
			await proxy.close();
			await close(server);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** One call on each line. */
async function readCalls(file: string): Promise<SlackCall[]> {
	const kept = await readFile(file, 'utf8').catch(() => '');
	return kept
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => {
			const call = JSON.parse(line) as SlackCall;
			return { ...call, at: new Date(call.at) };
		});
}

function keepCall(file: string, call: SlackCall): void {
	mkdirSync(dirname(file), { recursive: true });
	appendFileSync(file, `${JSON.stringify(call)}\n`);
}

function parse(content: string, type = ''): Record<string, unknown> {
	if (type.includes('json')) return JSON.parse(content || '{}') as Record<string, unknown>;
	return Object.fromEntries(new URLSearchParams(content));
}

/** As Slack answers: always 200, with `ok`. */
function answer({ method, authorization, body }: SlackCall): Record<string, unknown> {
	if (!/^Bearer xoxb-/.test(authorization)) return { ok: false, error: 'invalid_auth' };
	if (method !== POST) return { ok: false, error: 'unknown_method' };
	if (!body.channel) return { ok: false, error: 'channel_not_found' };
	const text = textOf(body);
	if (!text) return { ok: false, error: 'no_text' };
	return { ok: true, channel: body.channel, ts: '1700000000.000100', message: { text } };
}

/** A part of a message that has a form of its own. */
interface Block {
	text?: { text?: string };
	elements?: Array<{ type?: string; text?: { text?: string }; url?: string }>;
}

const blocksOf = ({ blocks }: SlackCall['body']): Block[] => {
	const given: unknown = typeof blocks === 'string' ? JSON.parse(blocks) : blocks;
	return Array.isArray(given) ? (given as Block[]) : [];
};

/** The text of a message, or that of its blocks. */
function textOf(body: SlackCall['body']): string {
	if (body.text) return String(body.text);
	const lines = blocksOf(body).map(({ text }) => text?.text?.trim() ?? '');
	return lines.filter((line) => line !== '').join('\n');
}

const buttonsOf = (body: SlackCall['body']): Button[] =>
	blocksOf(body)
		.flatMap(({ elements }) => elements ?? [])
		.filter(({ type }) => type === 'button')
		.map(({ text, url }) => ({ label: text?.text ?? '', url: url ?? '' }));
