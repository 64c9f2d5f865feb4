import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Sandbox, SandboxOptions } from '../../../sandbox/index.mts';
import { DEFAULT_SWITCHES, switchesSchema } from '../../../sandbox/switches.mts';
import { admin, COLLECTION, LINK, PATHS, send, signed, start, token, until } from './client.mts';

const CALLBACK = 'https://shop.example/paid?order=A-1&token=x#part';
const FULL = {
	...LINK,
	callback_url: CALLBACK,
	redirection_url: 'https://shop.example/thanks',
	first_name: 'Amina',
	last_name: 'Otieno',
	email: 'amina@example.com',
	phone: '254712345678',
};

let sandbox: Sandbox;
const begin = async (options: SandboxOptions = {}) => (sandbox = await start(options));
afterEach(() => sandbox.close());

async function listed(): Promise<Record<string, unknown>[]> {
	const authorization = `Bearer ${await token(sandbox)}`;
	return (await send(sandbox, PATHS.list, null, { authorization })).json.data as never;
}

it('without any option every switch has its default, which is the specification’s sample', async () => {
	await begin();
	expect(sandbox.switches).toEqual(DEFAULT_SWITCHES);
	const { json } = await signed(sandbox, PATHS.link, FULL);
	expect(json.data).toEqual({});
});

describe('list entries', () => {
	const own = ({ link }: { link: string }) => ({
		reference: link.split('/').pop(),
		link,
		status: 'open',
		created_at: expect.any(String),
		currency_country_id: null,
	});

	it('carry everything that was sent and their address', async () => {
		await begin({ listEntries: 'callbackUrl' });
		await signed(sandbox, PATHS.link, FULL);
		const [link] = sandbox.state.links;
		expect(await listed()).toEqual([{ ...FULL, ...own(link!) }]);
	});

	it('carry the other fields, and the callback URL nowhere', async () => {
		await begin({ listEntries: 'fields' });
		await signed(sandbox, PATHS.link, FULL);
		const [link] = sandbox.state.links;
		const { callback_url, ...others } = FULL;
		const entries = await listed();
		expect(entries).toEqual([{ ...others, ...own(link!) }]);
		expect(JSON.stringify(entries)).not.toContain(callback_url.slice(0, 25));
	});

	it('carry other names for all of it, and the callback URL inside a text', async () => {
		await begin({ listEntries: 'otherNames' });
		await signed(sandbox, PATHS.link, FULL);
		const [entry] = await listed();
		const known = Object.keys({ ...FULL, reference: '', link: '', status: '', created_at: '' });
		expect(Object.keys(entry!).filter((name) => known.includes(name))).toEqual([]);
		expect(entry!.payment_url).toBe(sandbox.state.links[0]?.link);
		const text = JSON.stringify(entry);
		for (const value of Object.values(FULL)) expect(text).toContain(String(value));
		expect(entry).not.toHaveProperty('callback_url');
		expect(entry!.notifications).toEqual([`POST ${CALLBACK}`]);
	});

	it('with other names and no callback URL have none', async () => {
		await begin({ listEntries: 'otherNames' });
		await signed(sandbox, PATHS.link, LINK);
		expect(await listed()).toMatchObject([{ notifications: [] }]);
	});
});

describe('records', () => {
	const record = async (path: string) => {
		const [transaction] = sandbox.state.transactions;
		const params = { id: transaction?.ref, ...(path === PATHS.statusV3 && { type: 'payin' }) };
		return (await signed(sandbox, path, params)).json.data as Record<string, unknown>;
	};

	it.each([PATHS.statusV2, PATHS.statusV3])('%s states the callback URL', async (path) => {
		await begin();
		await signed(sandbox, PATHS.collection, { ...COLLECTION, callback_url: CALLBACK });
		expect(await record(path)).toHaveProperty('callback_url', CALLBACK);
	});

	it.each([PATHS.statusV2, PATHS.statusV3])('%s leaves the callback URL out', async (path) => {
		await begin({ records: 'noCallbackUrl' });
		await signed(sandbox, PATHS.collection, { ...COLLECTION, callback_url: CALLBACK });
		expect(await record(path)).not.toHaveProperty('callback_url');
		expect(await record(path)).toHaveProperty('mobile', COLLECTION.mobile);
	});

	it('a callback is such a record too', async () => {
		await begin({ records: 'noCallbackUrl' });
		const callback_url = 'http://127.0.0.1:9/';
		await signed(sandbox, PATHS.collection, { ...COLLECTION, amount: 990200, callback_url });
		expect(sandbox.state.callbacks[0]?.body).toMatchObject({ status: 'success' });
		expect(sandbox.state.callbacks[0]?.body).not.toHaveProperty('callback_url');
	});
});

describe('status by', () => {
	const ask = async (id: string, integration = sandbox.integrations[0]) =>
		(await signed(sandbox, PATHS.statusV3, { id, type: 'payin' }, { integration })).json;
	const collect = (third_party_reference_1: string, amount: number) =>
		signed(sandbox, PATHS.collection, { ...COLLECTION, third_party_reference_1, amount });

	it('are the service’s own references', async () => {
		await begin();
		await collect('ORDER-1', 10);
		expect(await ask('ORDER-1')).toMatchObject({ success: false });
		expect(await ask(sandbox.state.transactions[0]!.ref)).toMatchObject({ success: true });
	});

	it('can be the caller’s as well: the newest, and no other account’s', async () => {
		await begin({ statusBy: 'ownReference' });
		await collect('ORDER-1', 10);
		await collect('ORDER-1', 20);
		await collect('ORDER-2', 30);
		expect(await ask('ORDER-1')).toMatchObject({ success: true, data: { amount: '20.00' } });
		expect(await ask(sandbox.state.transactions[2]!.ref)).toMatchObject({
			data: { amount: '10.00' },
		});
		expect(await ask('ORDER-1', sandbox.integrations[1])).toMatchObject({ success: false });
		expect(await ask('ORDER-3')).toMatchObject({ success: false });
	});
});

describe('callback URLs', () => {
	const long = `https://shop.example/paid?order=${'x'.repeat(300)}`;

	it.each([
		['whole', CALLBACK, CALLBACK],
		['whole', long, long],
		['noQuery', CALLBACK, 'https://shop.example/paid'],
		['noQuery', 'https://shop.example/paid#part', 'https://shop.example/paid'],
		['cut255', CALLBACK, CALLBACK],
		['cut255', long, long.slice(0, 255)],
	] as const)('%s: %s', async (callbackUrls, sent, kept) => {
		await begin({ callbackUrls, settleDelayMs: Infinity });
		await signed(sandbox, PATHS.link, { ...LINK, callback_url: sent });
		await signed(sandbox, PATHS.collection, { ...COLLECTION, callback_url: sent });
		expect(await listed()).toMatchObject([{ callback_url: kept }]);
		expect(sandbox.state.transactions).toMatchObject([{ callback_url: kept }]);
		// The ledger is what was accepted, whatever is kept of it.
		expect(sandbox.state.ledger.entries.map(({ params }) => params.callback_url)).toEqual([
			sent,
			sent,
		]);
	});

	it('the one that is called is the one that is kept', async () => {
		const called: (string | undefined)[] = [];
		const server = createServer((request, response) => {
			called.push(request.url);
			response.end();
		}).listen(0, '127.0.0.1');
		await until(() => server.listening);
		try {
			const { port } = server.address() as AddressInfo;
			const callback_url = `http://127.0.0.1:${port}/paid?order=A-1`;
			await begin({ callbackUrls: 'noQuery' });
			await signed(sandbox, PATHS.link, { ...LINK, callback_url });
			const [link] = sandbox.state.links;
			await admin(sandbox, 'POST', `/links/${link?.reference}/pay`, { outcome: 'success' });
			await until(() => sandbox.state.callbacks[0]?.status === 'delivered');
			expect(called).toEqual(['/paid']);
		} finally {
			server.close();
		}
	});
});

describe('while it runs', () => {
	it('each can be set over HTTP, and a reset brings back those of the start', async () => {
		await begin({ listEntries: 'fields' });
		expect((await admin(sandbox, 'GET', '/switches')).json).toEqual(sandbox.switches);
		const reply = await admin(sandbox, 'POST', '/switches', { mode: 'rich' });
		expect(reply.json).toEqual({ ...DEFAULT_SWITCHES, mode: 'rich', listEntries: 'fields' });
		expect((await signed(sandbox, PATHS.link, LINK)).json.data).toHaveProperty('link');
		sandbox.change({ listEntries: 'otherNames' });
		expect(await listed()).toMatchObject([{ productName: 'Beans' }]);
		expect((await admin(sandbox, 'GET', '/state')).json.switches).toEqual(sandbox.switches);
		sandbox.reset();
		expect(sandbox.switches).toEqual({ ...DEFAULT_SWITCHES, listEntries: 'fields' });
	});

	it.each([{ mode: 'poor' }, { colour: 'red' }, { records: true }])(
		'refuses %j and changes nothing',
		async (switches) => {
			await begin();
			expect((await admin(sandbox, 'POST', '/switches', switches)).status).toBe(400);
			expect(sandbox.switches).toEqual(DEFAULT_SWITCHES);
		},
	);
});

describe('a long list', () => {
	it('has links of another till, which no request created', async () => {
		await begin();
		await signed(sandbox, PATHS.link, FULL);
		const reply = await admin(sandbox, 'POST', '/links', { count: 50_000 });
		expect(reply.json).toEqual({ added: 50_000 });
		const entries = await listed();
		expect(entries).toHaveLength(50_001);
		expect(new Set(entries.map(({ link }) => link)).size).toBe(50_001);
		expect(entries.at(-1)).toMatchObject({ callback_url: CALLBACK });
		expect(sandbox.state.ledger.accepted).toBe(1);
	});

	it('belongs to the integration that is named', async () => {
		await begin();
		sandbox.addOtherLinks({ count: 3, integration: 'second' });
		expect(await listed()).toEqual([]);
		expect(sandbox.state.links).toHaveLength(3);
		expect((await admin(sandbox, 'POST', '/links', { integration: 'no' })).status).toBe(404);
		expect((await admin(sandbox, 'POST', '/links', { count: 0 })).status).toBe(400);
	});
});

it('the README lists every value of every switch, the default first', () => {
	const readme = readFileSync(resolve('sandbox/README.md'), 'utf8');
	const section = /## Switches\n([^]*?)\n## /.exec(readme)?.[1] ?? '';
	const rows = [...section.matchAll(/^\| (?:`(\w+)` )?\| `(\w+)` \|/gm)];
	let name = '';
	const documented: Record<string, string[]> = {};
	for (const [, first, value] of rows) {
		name = first ?? name;
		(documented[name] ??= []).push(value!);
	}
	const actual = Object.entries(switchesSchema.shape).map(([key, { options }]) => [key, options]);
	expect(documented).toEqual(Object.fromEntries(actual));
	for (const [key, [first]] of Object.entries(documented))
		expect([key, first]).toEqual([key, DEFAULT_SWITCHES[key as keyof typeof DEFAULT_SWITCHES]]);
});
