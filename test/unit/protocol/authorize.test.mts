import { authorize, WHOLE_BODY } from '../../../nodes/UnifiedPayments/protocol/authorize.ts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { ENDPOINTS } from '../../../nodes/UnifiedPayments/protocol/endpoints.ts';
import { seal, withSignature } from '../../../nodes/UnifiedPayments/protocol/signing.ts';
import { SetupError } from '../../../nodes/UnifiedPayments/protocol/explainedError.ts';

const BASE = 'https://payments.example.com';
const NOW = 1767225600_000;

const SAVED = {
	baseUrl: BASE,
	clientId: 'client-1',
	sender: 'Amina Shop',
	secretKey: 'secret "1"',
};
const credential = (changes: Record<string, unknown> = {}) =>
	readCredential({ ...SAVED, ...changes });

type OutgoingRequest = Parameters<typeof authorize>[1];

const post = (path: string, body?: unknown): OutgoingRequest => ({
	method: 'POST',
	url: BASE + path,
	body,
});
const send = (request: OutgoingRequest, changes?: Record<string, unknown>, now = NOW) =>
	authorize(credential(changes), request, now);
const bodyOf = (request: OutgoingRequest) =>
	JSON.parse(String(request.body)) as Record<string, unknown>;
const paramsText = (request: OutgoingRequest) =>
	/,"params":(.*)\}$/s.exec(String(request.body))?.[1];

/** In the words of both of the host's request helpers. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

const ELSEWHERE =
	"This credential only signs requests to its own 'Base URL' (https://payments.example.com) and 'Auth URL'";

it("the endpoints are the specification's", () => {
	expect(ENDPOINTS).toEqual({
		login: '/api/integration/get-token',
		createPaymentLink: '/api/v3/payment-link-api/create',
		listPaymentLinks: '/api/payment-link-api/list',
		createCollection: '/api/v3/service-unified-collections',
		statusV2: '/api/v2/get-unified-transaction-status',
		statusV3: '/api/v3/get-unified-transaction-status',
		balance: '/api/v3/get-unified-balance',
		signature: '/api/service-signature',
	});
});

describe('sealing', () => {
	it('wraps a body into a signed envelope, and leaves the request it was given as it is', () => {
		const request = {
			...post(ENDPOINTS.balance, '{"currency":"KES"}'),
			headers: { Accept: 'application/json' },
			timeout: 5,
		};
		const copy = structuredClone(request);
		const sent = authorize(credential(), request, NOW);
		const salt = String(bodyOf(sent).salt);
		expect(salt).toMatch(/^[0-9a-f]{32}$/);
		const { identity, recipe } = credential();
		expect(sent).toEqual({
			...copy,
			headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			body: seal(identity, recipe, '{"currency":"KES"}', { timestamp: 1767225600, salt }),
			...NO_REDIRECTS,
		});
		expect(request).toEqual(copy);
	});

	it.each([
		['nothing', undefined, '{}'],
		['null', null, '{}'],
		['empty text', '', '{}'],
		['an object', { b: 1, a: [true, null] }, '{"b":1,"a":[true,null]}'],
		['JSON text, as it stands', '{ "amount": 1000.50 }', '{ "amount": 1000.50 }'],
		['JSON text with space around it', '  {"a":1}\n', '{"a":1}'],
		['an empty object', {}, '{}'],
	])('takes %s for params', (_, body, expected) => {
		expect(paramsText(send(post(ENDPOINTS.balance, body)))).toBe(expected);
	});

	it.each([
		['an array', [1]],
		['text that is no JSON', 'currency=KES'],
		['JSON text of an array', '[{}]'],
		['JSON text of text', '"{}"'],
		['JSON text of null', 'null'],
		['a number', 7],
		['true', true],
		['blank text', '  '],
		['a buffer', Buffer.from('{"a":1}')],
		['a web form', new URLSearchParams({ a: '1' })],
		['a multipart form', new FormData()],
		['a date', new Date(0)],
		['an object that stands for text', { toJSON: () => 'text' }],
	])('refuses %s', (_, body) => {
		expect(() => send(post(ENDPOINTS.balance, body))).toThrow('The body must be a JSON object');
	});

	it.each(['POST', 'PUT', 'PATCH', 'post', 'Put'])('seals a %s', (method) => {
		const sent = send({ ...post('/api/v4/something-new', { a: 1 }), method });
		expect(bodyOf(sent)).toMatchObject({ client_id: 'client-1', params: { a: 1 } });
	});

	it.each(['GET', 'get', 'DELETE', 'HEAD', 'XPOST', 'POSTX', undefined])(
		'leaves a %s as it is',
		(method) => {
			for (const path of [`${ENDPOINTS.listPaymentLinks}?page=2`, ENDPOINTS.login]) {
				const request = { method, url: BASE + path, body: { a: 1 } };
				expect(send(request, { signatureSource: 'endpoint' })).toEqual({
					...request,
					...NO_REDIRECTS,
				});
			}
		},
	);
});

it('redirects are never followed, whatever the caller says', () => {
	const following = {
		disableFollowRedirect: false,
		followRedirect: true,
		followAllRedirects: true,
		maxRedirects: 21,
	};
	for (const method of ['GET', 'POST', 'DELETE']) {
		for (const path of [...Object.values(ENDPOINTS), '', '/api/v4/something-new']) {
			const headers = { [WHOLE_BODY]: 'true' };
			const sent = send({ method, url: BASE + path, ...following, headers });
			expect(sent).toMatchObject(NO_REDIRECTS);
			expect(send({ ...sent, ...following, headers })).toMatchObject(NO_REDIRECTS);
		}
	}
});

describe('sealing twice', () => {
	const sendOnce = () => send(post(ENDPOINTS.createCollection, '{"amount":1000.50}'));

	it('keeps one envelope and the same params, with fresh values', () => {
		const once = sendOnce();
		const twice = send(structuredClone(once), {}, NOW + 61_000);
		const [first, second] = [bodyOf(once), bodyOf(twice)];
		expect(second.salt).not.toBe(first.salt);
		const { identity, recipe } = credential();
		const freshness = { timestamp: 1767225661, salt: String(second.salt) };
		expect(twice.body).toBe(seal(identity, recipe, '{"amount":1000.50}', freshness));
	});

	it.each([
		['base64', { signatureEncoding: 'base64' }],
		['sha512', { signatureAlgorithm: 'sha512' }],
		['a template without params', { signatureTemplate: '{client_id}' }],
	])('holds with %s', (_, changes) => {
		const first = send(post(ENDPOINTS.balance, '{"a":1}'), changes);
		expect(paramsText(send(first, changes))).toBe('{"a":1}');
	});

	it("wraps what only looks like an envelope, or was sealed with another integration's key", () => {
		const { identity } = credential();
		const forged = withSignature(identity, '{"a":1}', { timestamp: 1, salt: 'x' }, 'forged');
		const foreign = send(post(ENDPOINTS.balance, '{}'), { secretKey: 'other' }).body;
		for (const body of [forged, foreign]) {
			const first = send(post(ENDPOINTS.balance, body));
			expect([first, send(first)].map(paramsText)).toEqual([body, body]);
		}
	});
});

/** With every secret that the package has, and none of them in what goes out. */
const SECRETS = { secretKey: 'key-canary', previousSecretKey: 'old-canary', apiKey: 'api-canary' };

describe('a request of anybody else', () => {
	it.each([ENDPOINTS.login, ENDPOINTS.signature])('is refused at %s', (path) => {
		for (const body of [undefined, '{}', { a: 1 }, { client_id: 'client-1' }]) {
			for (const method of ['POST', 'PUT', 'patch']) {
				for (const signatureSource of ['local', 'endpoint']) {
					expect(() => send({ ...post(path, body), method }, { signatureSource })).toThrow(
						/secret key, which the credential puts into no request/,
					);
				}
			}
		}
	});

	it('is refused at the token endpoint of an auth URL, too', () => {
		const authUrl = 'https://auth.example.com/x';
		const request = { method: 'POST', url: authUrl + ENDPOINTS.login };
		expect(() => send(request, { authUrl })).toThrow(/secret key/);
	});

	it('holds no secret, whatever its options say', () => {
		const detours = {
			headers: { Host: 'attacker.example', 'Content-Length': '2', 'X-Forwarded-Host': 'a.example' },
			proxy: 'http://proxy.example.com:8080',
			rejectUnauthorized: false,
			agentOptions: { ca: 'PEM' },
		};
		for (const path of [...Object.values(ENDPOINTS), '/api/v4/something-new']) {
			for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
				for (const body of [undefined, { a: 1 }]) {
					let sent: unknown;
					try {
						sent = send({ ...post(path, body), ...detours, method }, SECRETS);
					} catch {
						continue;
					}
					expect(JSON.stringify(sent)).not.toContain('canary');
				}
			}
		}
	});

	it('at another path than the token endpoint of the auth URL is refused', () => {
		const authUrl = 'https://auth.example.com';
		const balance = { method: 'POST', url: authUrl + ENDPOINTS.balance };
		for (const request of [balance, post(ENDPOINTS.login)])
			expect(() => send(request, { authUrl })).toThrow(new SetupError(ELSEWHERE));
	});
});

describe('a body that its caller wrote whole', () => {
	const headers = { Accept: 'a', [WHOLE_BODY]: 'true' };

	it.each([
		[ENDPOINTS.login, 'local'],
		[ENDPOINTS.signature, 'endpoint'],
		[ENDPOINTS.balance, 'local'],
		[ENDPOINTS.balance, 'endpoint'],
	])(
		'goes out as it is to %s with signatures from %s, without the mark',
		(path, signatureSource) => {
			const sent = send({ ...post(path, '{"own":1}'), headers }, { signatureSource });
			expect(sent).toMatchObject({ body: '{"own":1}', ...NO_REDIRECTS });
			expect(sent.headers).toEqual({ Accept: 'a', 'Content-Type': 'application/json' });
		},
	);

	it('does not go elsewhere', () => {
		const request = { method: 'POST', url: 'https://evil.example/', headers };
		expect(() => send(request)).toThrow(new SetupError(ELSEWHERE));
	});
});

describe('signatures from the signing endpoint', () => {
	it('are asked for by our node only, and the message names the setting', () => {
		const changes = { signatureSource: 'endpoint' };
		expect(() => send(post(ENDPOINTS.balance, { a: 1 }), changes)).toThrow(
			"Set the credential's 'Signature Source' to 'Computed Here' to use it in other nodes.",
		);
	});
});

describe('addresses', () => {
	const path = ENDPOINTS.login;
	/** What is known as the token endpoint is refused as that. */
	const recognised = (request: OutgoingRequest, changes: Record<string, unknown> = {}) => {
		expect(() => send({ method: 'POST', ...request }, changes)).toThrow(/secret key/);
		return true;
	};

	it.each<[string, OutgoingRequest]>([
		['a whole URL', { url: BASE + path }],
		['a URI, as the HTTP Request node says', { uri: BASE + path }],
		['a base URL and a path', { baseURL: BASE, url: path }],
		['a base URL with a slash', { baseURL: `${BASE}//`, url: path }],
		['a path without a slash', { baseURL: BASE, url: path.slice(1) }],
		['a path with two slashes', { baseURL: BASE, url: `/${path}` }],
		['a base URL and a URI', { baseURL: BASE, uri: path }],
		['a base URL that holds the path', { baseURL: BASE + path }],
		['a whole URL beside another base URL', { baseURL: 'https://other.example', url: BASE + path }],
		['another address in the query', { baseURL: BASE, url: `${path}?next=https://other.example` }],
		['trailing slashes', { url: `${BASE}${path}//` }],
		['a query and a fragment', { url: `${BASE}${path}?a=b/c#x` }],
		['capitals in the host', { url: `HTTPS://PAYMENTS.example.com${path}` }],
		['the default port', { url: `https://payments.example.com:443${path}` }],
		['escaped dots', { url: `${BASE}/x/%2e%2e${path}` }],
	])('are recognised with %s', (_, request) => {
		expect(recognised(request)).toBe(true);
	});

	it('may be the base URL itself, and below one with a path, a port and a slash', () => {
		for (const end of ['', '/']) expect(bodyOf(send(post(end)))).toHaveProperty('signature');
		const baseUrl = 'http://localhost:4010/base/';
		expect(recognised({ url: `http://localhost:4010/base${path}` }, { baseUrl })).toBe(true);
	});

	it.each<[string, OutgoingRequest]>([
		['another host', { url: `https://evil.example${path}` }],
		['a host that begins alike', { url: `https://payments.example.com.evil.example${path}` }],
		['a host behind an @', { url: `https://payments.example.com@evil.example${path}` }],
		['another scheme', { url: `http://payments.example.com${path}` }],
		['another port', { url: `https://payments.example.com:8443${path}` }],
		['another base URL', { baseURL: 'https://evil.example', url: path }],
		['a whole URL beside our base URL', { baseURL: BASE, url: `https://evil.example${path}` }],
		['a whole URL in capitals', { baseURL: BASE, url: `HTTP://evil.example${path}` }],
	])('are refused for %s, also for a GET', (_, request) => {
		for (const method of ['POST', 'GET']) {
			expect(() => send({ ...request, method })).toThrow(new SetupError(ELSEWHERE));
		}
	});

	it.each(['/other/api', '/base-two/api', '/base/../api', '/'])(
		'are refused outside the path of the base URL: %s',
		(outside) => {
			const origin = 'http://localhost:4010';
			expect(() =>
				send({ method: 'POST', url: origin + outside }, { baseUrl: `${origin}/base` }),
			).toThrow("This credential only signs requests to its own 'Base URL'");
		},
	);

	it.each([undefined, path, 'payments.example.com', 'http://', `see ${BASE}`])(
		'are refused when they are none: %j',
		(url) => {
			expect(() => send({ method: 'POST', url })).toThrow(
				new SetupError('The address of the request is not a web address'),
			);
		},
	);
});
