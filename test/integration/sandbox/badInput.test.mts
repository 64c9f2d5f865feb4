import { connect } from 'node:net';
import { COLLECTION, defaultOf, PATHS, seal, send, signed, start } from './client.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await start());
afterEach(async () => {
	// Whatever came before, it still works and has accepted nothing.
	expect(sandbox.state.ledger.accepted).toBe(0);
	const { json } = await signed(sandbox, PATHS.collection, COLLECTION);
	expect(json).toMatchObject({ success: true });
	sandbox.reset();
});

const POSTS = Object.values(PATHS).filter((path) => path !== PATHS.list);
const no = (path: string) => (path === PATHS.balance ? 'false' : false);
const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);

describe.each(POSTS)('%s', (path) => {
	it.each([
		['an empty body', ''],
		['a word', 'hello'],
		['half an object', '{"client_id":'],
		['a trailing comma', '{"a":1,}'],
		['two objects', '{}{}'],
		['a byte order mark', '\ufeff{}'],
		['bytes that are no text', Buffer.from('{"salt":"\xff"}', 'latin1')],
		['NaN', '{"timestamp":NaN}'],
	])('%s is not JSON', async (_, body) => {
		const reply = await send(sandbox, path, body);
		expect(reply).toMatchObject({
			status: 400,
			json: { success: no(path), message: expect.stringMatching(/not valid/) },
		});
	});

	it.each([
		['null', 'null'],
		['a list', '[]'],
		['a text', '"x"'],
		['a number', '1'],
		['an empty object', '{}'],
		['huge numbers', '{"timestamp":1e999,"client_id":"a","sender":"b","salt":"c","params":{}}'],
		['__proto__', '{"__proto__":{"polluted":true},"params":{"__proto__":{"polluted":true}}}'],
		['constructor.prototype', '{"constructor":{"prototype":{"polluted":true}}}'],
		['deep lists', deep('[', ']')],
		['deep params', `{"params":${deep('{"a":', '}').replace('}', '1}')}}`],
	])('%s gets a documented no', async (_, body) => {
		const reply = await send(sandbox, path, body);
		expect(reply.json.success).toBe(no(path));
		expect([200, 403]).toContain(reply.status);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		// The dashboard looks at it, too.
		expect((await fetch(`${sandbox.url}/sandbox/state`)).status).toBe(200);
	});

	it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])(
		'%s is a wrong content type',
		async (type) => {
			const reply = await send(sandbox, path, '{}', { 'content-type': type });
			expect(reply).toMatchObject({ status: 415, json: { success: no(path) } });
		},
	);

	it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('%s is a wrong method', async (method) => {
		const reply = await send(sandbox, path, null, {}, method);
		expect(reply).toMatchObject({ status: 405, json: { success: no(path) } });
		expect(reply.headers.get('allow')).toBe('POST');
	});

	it('9 MB are too much', async () => {
		const reply = await send(sandbox, path, `{"params":"${'x'.repeat(9 * 1024 * 1024)}"}`);
		expect(reply).toMatchObject({ status: 413, json: { success: no(path) } });
	});
});

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
	'%s as a signed param is refused',
	async (key) => {
		const params = `{"amount":1,"mobile":"254712345678","country_id":1,"currency":"KES","${key}":{"x":1}}`;
		const reply = await send(sandbox, PATHS.collection, seal(defaultOf(sandbox), params));
		expect(reply.json).toEqual({ success: false, message: 'Transaction was not created!' });
	},
);

it.each(['__proto__', 'constructor', '../../etc', 'x'.repeat(999), '\ud800', ''])(
	'%j is no reference',
	async (id) => {
		const reply = await signed(sandbox, PATHS.statusV3, { id, type: 'payin' });
		expect(reply.json).toEqual({ success: false, message: 'Transaction was not created!' });
	},
);

it('deep signed params are refused, and explained without a crash', async () => {
	const params = `{"a":${deep('[', ']')}}`;
	const good = await send(sandbox, PATHS.collection, seal(defaultOf(sandbox), params));
	expect(good.json).toEqual({ success: false, message: 'Transaction was not created!' });
	await send(sandbox, PATHS.collection, seal(defaultOf(sandbox), params, { signature: 'x' }));
	expect((await fetch(`${sandbox.url}/sandbox/state`)).status).toBe(200);
});

it.each(['/', '/api', '/api/v1/whatever', '/sandbox/none', '/%00', '//', '/..%2f'])(
	'POST %s leads nowhere',
	async (path) => {
		const reply = await send(sandbox, path, '{}');
		expect([400, 404]).toContain(reply.status);
		expect(reply.json).toMatchObject({ success: false, message: expect.any(String) });
	},
);

it.each([
	['no HTTP', 'hello\r\n\r\n'],
	[
		'a body cut short',
		`POST ${PATHS.token} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"a`,
	],
	[
		'two lengths',
		`POST ${PATHS.token} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
	],
])('survives %s', async (_, bytes) => {
	const reply = await new Promise<string>((resolve) => {
		const socket = connect(sandbox.port, '127.0.0.1');
		let text = '';
		socket.on('data', (chunk) => (text += chunk.toString()));
		socket.on('close', () => resolve(text)).on('error', () => undefined);
		socket.end(bytes);
	});
	expect(reply).toMatch(/^HTTP\/1\.1 400 [^]*"success":false/);
});
