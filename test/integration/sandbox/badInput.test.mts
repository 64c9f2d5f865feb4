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
const LATIN1 = Buffer.from('{"salt":"\xff"}', 'latin1');
const PROTO = '{"__proto__":{"polluted":true},"params":{"__proto__":{"polluted":true}}}';
const DEEP = `{"params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;

describe.each(POSTS)('%s', (path) => {
	const success = path === PATHS.balance ? 'false' : false;

	it('what is not JSON gets a 400, other JSON a documented no', async () => {
		for (const body of ['', 'hello', '{"a":1,}', '{}{}', '\ufeff{}', LATIN1]) {
			expect(await send(sandbox, path, body)).toMatchObject({ status: 400, json: { success } });
		}
		for (const body of ['null', '[]', '{}', '{"timestamp":1e999}', PROTO, DEEP]) {
			const reply = await send(sandbox, path, body);
			expect(reply.json).toMatchObject({ success });
			expect([200, 403]).toContain(reply.status);
		}
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	it('a wrong content type, a wrong method and 9 MB are refused', async () => {
		const typed = await send(sandbox, path, '{}', { 'content-type': 'text/plain' });
		expect(typed).toMatchObject({ status: 415, json: { success } });
		const put = await send(sandbox, path, null, {}, 'PUT');
		expect(put).toMatchObject({ status: 405, json: { success } });
		expect(put.headers.get('allow')).toBe('POST');
		const huge = await send(sandbox, path, `{"params":"${'x'.repeat(9 * 1024 * 1024)}"}`);
		expect(huge).toMatchObject({ status: 413, json: { success } });
	});
});
