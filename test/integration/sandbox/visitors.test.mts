import { call as send } from '../../../dev/host/shared/http.mts';
import { throughout } from '../../helpers/throughout.mts';
import { start } from './client.mts';

const sandbox = throughout(async () => await start({ publicUrl: 'https://pay.example.com' }));

const visit = async (method: string, path: string, headers: Record<string, string>, to = sandbox) =>
	await send(`http://127.0.0.1:${to.port}${path}`, { method, headers });
const call = async (...given: Parameters<typeof visit>) => (await visit(...given)).status;

const own = () => `127.0.0.1:${sandbox.port}`;

it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '192.168.1.20'])(
	'does not answer to the name %j, whatever is asked for',
	async (name) => {
		for (const path of ['/', '/sandbox/state', '/api/payment-link-api/list', '/pay/x']) {
			expect(await call('GET', path, { host: name })).toBe(421);
		}
		expect(await call('POST', '/sandbox/reset', { host: name })).toBe(421);
	},
);

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.0.0.2', '[::1]', 'sandbox.localhost'])(
	'answers to the name %s',
	async (name) => {
		expect(await call('GET', '/sandbox/state', { host: `${name}:${sandbox.port}` })).toBe(200);
	},
);

it('answers to the name of its public URL, also for its pages there', async () => {
	const headers = { host: 'pay.example.com', origin: 'https://pay.example.com' };
	expect(await call('POST', '/sandbox/reset', headers)).toBe(200);
});

it.each(['https://evil.example', 'null', 'http://localhost:1', 'http://127.0.0.1:1'])(
	'a page of %s neither reads its state nor changes anything',
	async (origin) => {
		const headers = { host: own(), origin };
		expect(await call('GET', '/sandbox/state', headers)).toBe(403);
		expect(await call('GET', '/sandbox/events', headers)).toBe(403);
		expect(await call('POST', '/sandbox/reset', headers)).toBe(403);
		expect(await call('DELETE', '/sandbox/faults', headers)).toBe(403);
		expect(await call('POST', '/api/v3/payment-link-api/create', headers)).toBe(403);
	},
);

it('nor does it without an origin, where the browser says who asks', async () => {
	for (const site of ['cross-site', 'same-site']) {
		const headers = { host: own(), 'sec-fetch-site': site };
		expect(await call('GET', '/sandbox/state', headers)).toBe(403);
		// A link to the payment page is opened from anywhere.
		expect(await call('GET', '/pay/x', headers)).toBe(200);
		expect(await call('GET', '/', headers)).toBe(200);
	}
});

it('its own pages and programs are answered', async () => {
	const page = { host: own(), origin: `http://${own()}`, 'sec-fetch-site': 'same-origin' };
	expect(await call('GET', '/sandbox/state', page)).toBe(200);
	expect(await call('POST', '/sandbox/reset', page)).toBe(200);
	expect(await call('POST', '/sandbox/reset', { host: own() })).toBe(200);
	// There is no envelope, but it is the endpoint that says so.
	expect(await call('POST', '/api/v3/get-unified-balance', { host: own() })).toBe(400);
});

it('on every address of the machine, it answers to addresses, not to names', async () => {
	const everywhere = await start({ host: '0.0.0.0' });
	const ask = (host: string) => call('GET', '/sandbox/state', { host }, everywhere);
	expect(await ask('192.168.1.20:80')).toBe(200);
	expect(await ask('evil.example')).toBe(421);
});

it.each(['/', '/pay/PL-1', '/sandbox/web/dom.js'])(
	'%s runs only scripts of its own',
	async (path) => {
		const { status, headers } = await visit('GET', path, { host: own() });
		expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff']);
		expect(headers['content-security-policy']).toContain("default-src 'self'");
	},
);
