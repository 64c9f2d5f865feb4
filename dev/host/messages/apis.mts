import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { generate } from 'selfsigned';

import { close, listen } from '../shared/listen.mts';
import { startProxy } from './proxy.mts';

/** What was posted to one of the services, in the words of that service. */
type Body = Record<string, unknown>;

export interface Posted {
	/** `#payments`, `SMS +254712345678`. */
	to: string;
	text: string;
}

interface Api {
	host: string;
	/** The request was understood, and this is what it says; null is a request of another kind. */
	read: (path: string, body: Body) => Posted | null;
	/** How the service answers then, and how otherwise. */
	taken: (posted: Posted) => unknown;
	refused: { status: number; body: unknown };
}

const LOCAL = '127.0.0.1,localhost';

const APIS: readonly Api[] = [
	{
		host: 'slack.com',
		read: (path, { channel, text: said }) =>
			path === '/api/chat.postMessage' && channel && said
				? { to: String(channel), text: String(said) }
				: null,
		taken: ({ to, text: said }) => ({
			ok: true,
			channel: to,
			ts: '1700000000.000100',
			message: { text: said },
		}),
		refused: { status: 200, body: { ok: false, error: 'invalid_arguments' } },
	},
	{
		host: 'api.twilio.com',
		read: (path, { To, Body: said }) =>
			path.endsWith('/Messages.json') && /^\+\d{8,15}$/.test(String(To)) && said
				? { to: `SMS ${String(To)}`, text: String(said) }
				: null,
		taken: ({ to }) => ({ sid: 'SM0', status: 'queued', to: to.replace('SMS ', '') }),
		refused: { status: 400, body: { code: 21211, message: "Invalid 'To' phone number" } },
	},
	{
		host: 'graph.facebook.com',
		read: (path, { to, template }) =>
			path.endsWith('/messages') && /^\d{8,15}$/.test(String(to)) && template
				? { to: `WhatsApp +${String(to)}`, text: templateText(template as Template) }
				: null,
		taken: ({ to }) => ({
			messaging_product: 'whatsapp',
			contacts: [{ wa_id: to.replace('WhatsApp +', '') }],
			messages: [{ id: 'wamid.0' }],
		}),
		refused: {
			status: 400,
			body: { error: { message: '(#131009) Parameter value is not valid' } },
		},
	},
];

interface Template {
	name?: string;
	components?: Array<{ parameters?: Array<{ text?: string }> }>;
}

/** The name of the template and the values that fill it. */
const templateText = ({ name = '', components = [] }: Template): string =>
	[name, ...components.flatMap(({ parameters = [] }) => parameters.map((each) => each.text))].join(
		'\n',
	);

export interface Apis {
	/** With these settings an n8n reaches the stand-ins at their real addresses, and trusts them. */
	env: Record<string, string>;
	close: () => Promise<void>;
}

/** Stand-ins for Slack, Twilio and WhatsApp, as far as the examples use them. */
export async function startApis(keep: (posted: Posted) => void): Promise<Apis> {
	const hosts = APIS.map(({ host }) => host);
	const { private: key, cert } = await generate([{ name: 'commonName', value: hosts[0] }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value })) },
		],
	});
	const server = createServer({ key, cert }, (request, response) => {
		void text(request).then((content) => {
			const api = APIS.find(({ host }) => host === request.headers.host);
			const body = parse(content, request.headers['content-type']);
			const posted = request.headers.authorization && api?.read(request.url ?? '', body);
			if (posted) keep(posted);
			response.statusCode = posted || !api ? 200 : api.refused.status;
			response.setHeader('Content-Type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(posted ? api?.taken(posted) : api?.refused.body));
		});
	});
	const proxy = await startProxy(hosts, await listen(server));
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-stand-ins-'));
	const certificate = join(folder, 'certificate.pem');
	await writeFile(certificate, cert);
	return {
		// In both spellings: the machine may have set either, and lower case wins.
		env: {
			HTTPS_PROXY: proxy.url,
			https_proxy: proxy.url,
			NO_PROXY: LOCAL,
			no_proxy: LOCAL,
			NODE_EXTRA_CA_CERTS: certificate,
		},
		close: async () => {
			await proxy.close();
			await close(server);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

function parse(content: string, type = ''): Body {
	if (type.includes('json')) return JSON.parse(content || '{}') as Body;
	return Object.fromEntries(new URLSearchParams(content));
}
