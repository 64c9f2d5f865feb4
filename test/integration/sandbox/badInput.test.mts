import { throughout } from '../../helpers/throughout.mts';
import { COLLECTION, PATHS, send, signed, start } from './client.mts';

const sandbox = throughout(async () => await start());
afterEach(async () => {
	// Whatever came before, it still works, shows its state, and has accepted nothing.
	expect((await fetch(`${sandbox.url}/sandbox/state`)).status).toBe(200);
	expect(sandbox.state.ledger.accepted).toBe(0);
	const { json } = await signed(sandbox, PATHS.collection, COLLECTION);
	expect(json).toMatchObject({ success: true });
	sandbox.reset();
});

const POSTS = Object.values(PATHS).filter((path) => path !== PATHS.list);
const no = (path: string) => (path === PATHS.balance ? 'false' : false);
const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);

describe.each(POSTS)('%s', (path) => {
	it('what is not JSON gets a 400', async () => {
		const latin1 = Buffer.from('{"salt":"\xff"}', 'latin1');
		for (const body of ['', 'hello', '{"client_id":', '{"a":1,}', '{}{}', '\ufeff{}', latin1]) {
			const message = expect.stringMatching(/not valid/);
			const reply = await send(sandbox, path, body);
			expect(reply).toMatchObject({ status: 400, json: { success: no(path), message } });
		}
	});

	it.each([
		['null', 'null'],
		['a list', '[]'],
		['an empty object', '{}'],
		['huge numbers', '{"timestamp":1e999,"client_id":"a","sender":"b","salt":"c","params":{}}'],
		['__proto__', '{"__proto__":{"polluted":true},"params":{"__proto__":{"polluted":true}}}'],
		['deep lists', deep('[', ']')],
		['deep params', `{"params":${deep('{"a":', '}').replace('}', '1}')}}`],
	])('%s gets a documented no', async (_, body) => {
		const reply = await send(sandbox, path, body);
		expect(reply.json.success).toBe(no(path));
		expect([200, 403]).toContain(reply.status);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	it('a wrong content type, a wrong method and 9 MB are refused', async () => {
		for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
			const reply = await send(sandbox, path, '{}', { 'content-type': type });
			expect(reply).toMatchObject({ status: 415, json: { success: no(path) } });
		}
		for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
			const reply = await send(sandbox, path, null, {}, method);
			expect(reply).toMatchObject({ status: 405, json: { success: no(path) } });
			expect(reply.headers.get('allow')).toBe('POST');
		}
		const huge = await send(sandbox, path, `{"params":"${'x'.repeat(9 * 1024 * 1024)}"}`);
		expect(huge).toMatchObject({ status: 413, json: { success: no(path) } });
	});
});
