import type { ServerResponse } from 'node:http';

import { FAULT_KINDS, type FaultKind } from '../../../dev/sandbox/index.mts';
import { json, type Received } from '../wire.mts';

/** Secrets that nobody would write by chance, with characters that change their form in addresses. */
export const CANARIES = {
	secretKey: 'canary/secret+key=1',
	apiKey: 'canary/api+key=2',
	token: '4|canary/bearer+token',
};

/** As it stands, and in an address. */
const formsOf = (secret: string): string[] => [secret, encodeURIComponent(secret)];

/** The names of the secrets that are in a text or in the bytes of a file. */
export const hitsIn = (hay: string | Buffer, secrets: Record<string, string>): string[] =>
	Object.keys(secrets).filter((name) => formsOf(secrets[name]!).some((form) => hay.includes(form)));

/** Signatures of all requests, by a name for each. */
export const signaturesIn = (received: readonly Received[]): Record<string, string> =>
	Object.fromEntries(
		received.flatMap(({ json: body }, nth) => {
			const { signature } = (body ?? {}) as { signature?: string };
			return signature === undefined ? [] : [[`signature ${nth + 1}`, signature]];
		}),
	);

/** All it received, said back in every place that someone may show. */
const echoOf = ({ text, json: body, headers, path }: Received, success: boolean) => ({
	success,
	message: `You sent ${text} with ${JSON.stringify(headers)}`,
	data: {
		token: path.endsWith('get-token') ? CANARIES.token : undefined,
		signature: (body as { signature?: string } | undefined)?.signature,
		secret_key: CANARIES.secretKey,
		nested: [text],
		callback_url: (body as { params?: { callback_url?: string } } | undefined)?.params
			?.callback_url,
	},
});

type Play = (received: Received, response: ServerResponse) => void;

const say =
	(status: number, success = status < 300, headers: Record<string, string> = {}): Play =>
	(received, response) => {
		for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
		json(response, status, echoOf(received, success));
	};

const page =
	(status: number): Play =>
	(received, response) => {
		response.writeHead(status, { 'content-type': 'text/html' });
		response.end(`<h1>${JSON.stringify(echoOf(received, false))}</h1>`);
	};

const cut: Play = (received, response) => {
	const body = JSON.stringify(echoOf(received, true));
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
	response.write(body.slice(0, -20), () => response.socket?.destroy());
};

const reset: Play = (_, response) => void response.socket?.resetAndDestroy();

/** Every fault the sandbox knows, played by a service that says back all it was told. */
export const HOSTILE: Record<FaultKind, Play> = {
	latency: () => undefined,
	'rate-limit': say(429, false, { 'retry-after': '0' }),
	'server-error': say(500, false),
	'reset-before': reset,
	'reset-after': reset,
	truncate: cut,
	html: page(200),
	empty: (_, response) => response.writeHead(200).end(),
	redirect: (received, response) => {
		const { signature } = (received.json ?? {}) as { signature?: string };
		const location = `http://127.0.0.1:9/?signature=${signature}&secret=${CANARIES.secretKey}`;
		say(307, false, { location })(received, response);
	},
	'content-type': (received, response) => {
		response.writeHead(200, { 'content-type': 'text/plain' });
		response.end(JSON.stringify(echoOf(received, true)));
	},
	'slow-body': (received, response) => {
		const body = JSON.stringify(echoOf(received, true));
		response.writeHead(200, { 'content-type': 'application/json' });
		response.write(body.slice(0, 200));
		setTimeout(() => response.end(body.slice(200)), 50);
	},
	// It would never end, but a test has to.
	endless: (received, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.write(JSON.stringify(echoOf(received, true)).slice(0, -1));
		const more = setInterval(() => response.write(' '), 10);
		setTimeout(() => {
			clearInterval(more);
			response.destroy();
		}, 100);
	},
};

/** Plain answers that also talk too much. */
const TALKATIVE: Record<string, Play> = {
	yes: say(200),
	no: say(200, false),
	400: say(400),
	401: say(401),
	403: say(403),
	'502 with a page': page(502),
};

export const ALL_HOSTILE: ReadonlyArray<[name: string, play: Play]> = [
	...FAULT_KINDS.map((kind): [string, Play] => [kind, HOSTILE[kind]]),
	...Object.entries(TALKATIVE),
];

/** The token endpoint must answer, or nothing that needs a token is ever asked. */
export const answeringTokens =
	(play: Play): Play =>
	(received, response) =>
		received.path.endsWith('get-token') ? say(200)(received, response) : play(received, response);
