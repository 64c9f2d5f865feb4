import { readFileSync } from 'node:fs';
import type { Sandbox, SandboxOptions } from '../../../dev/sandbox/index.mts';
import { DEFAULT_SWITCHES, switchesSchema } from '../../../dev/sandbox/switches.mts';
import { COLLECTION, LINK, listed, PATHS, signed, start } from './client.mts';

const CALLBACK = 'https://shop.example/paid?order=A-1&token=x#part';
let sandbox: Sandbox;
const begin = async (options: SandboxOptions = {}) => (sandbox = await start(options));
const createLink = (params: object = LINK) => signed(sandbox, PATHS.link, params);
const collect = (params: object) => signed(sandbox, PATHS.collection, { ...COLLECTION, ...params });

it('status and callbacks state the callback URL, or leave it out', async () => {
	await begin();
	const callback_url = 'http://127.0.0.1:9/';
	await collect({ amount: 990200, callback_url });
	const id = sandbox.state.transactions[0]?.ref;
	const record = async () =>
		(await signed(sandbox, PATHS.statusV3, { id, type: 'payin' })).json.data;
	expect(await record()).toHaveProperty('callback_url', callback_url);
	sandbox.change({ records: 'noCallbackUrl' });
	expect(await record()).not.toHaveProperty('callback_url');
	await collect({ amount: 990200, callback_url });
	expect(sandbox.state.callbacks[0]?.body).toMatchObject({ status: 'success' });
	expect(sandbox.state.callbacks[0]?.body).not.toHaveProperty('callback_url');
});

it('reference, link, states and refusals are in the words of the switches', async () => {
	await begin({ mode: 'rich', referenceField: 'payment.id', linkField: 'payment.go' });
	sandbox.change({ successStatus: 'Done', failureReason: 'empty', refusal: 'Not here.' });
	const reply = await createLink();
	const [entry] = await listed(sandbox);
	const named = {
		payment: { id: sandbox.state.links[0]!.reference, go: sandbox.state.links[0]!.link },
	};
	expect(reply.json.data).toEqual(named);
	expect(entry).toMatchObject(named);
	for (const name of ['reference', 'link']) expect(entry).not.toHaveProperty(name);
	await collect({ amount: 990200, callback_url: 'http://127.0.0.1:9/' });
	const { ref: id } = sandbox.state.transactions[0]!;
	const paid = { payment: { id }, status: 'Done' };
	for (const [path, params] of [
		[PATHS.statusV3, { id, type: 'payin' }],
		[PATHS.statusV2, { id }],
	] as const) {
		const { data } = (await signed(sandbox, path, params)).json;
		expect(data).toMatchObject(paid);
		expect(data).not.toHaveProperty('ref');
	}
	expect(sandbox.state.callbacks[0]?.body).toMatchObject(paid);
	const refused = { success: false, message: 'Not here.' };
	expect((await createLink({ ...LINK, currency: 'EUR' })).json).toEqual(refused);
	expect((await collect({ country_id: 99 })).json).toEqual(refused);
	// About the account it has no other words.
	const unsigned = await signed(sandbox, PATHS.link, LINK, { changed: { sender: 'Nobody' } });
	expect(unsigned.json.message).toBe('Entity integration record not found.');
	sandbox.reset();
	expect(sandbox.switches).toMatchObject({ referenceField: 'payment.id', refusal: 'documented' });
});

const LONG = `https://shop.example/paid?order=${'x'.repeat(300)}`;

it.each([
	['noQuery', CALLBACK, 'https://shop.example/paid'],
	['cut255', LONG, LONG.slice(0, 255)],
] as const)('callback URLs, %s: %s', async (callbackUrls, callback_url, kept) => {
	await begin({ callbackUrls, settleDelayMs: Infinity });
	await createLink({ ...LINK, callback_url });
	await collect({ callback_url });
	expect(await listed(sandbox)).toMatchObject([{ callback_url: kept }]);
	expect(sandbox.state.transactions).toMatchObject([{ callback_url: kept }]);
	// The ledger is what was accepted, whatever is kept of it.
	const params = { callback_url };
	expect(sandbox.state.ledger.entries).toMatchObject([{ params }, { params }]);
});

it('the README lists every value of every switch, the default first', () => {
	const readme = readFileSync('dev/sandbox/README.md', 'utf8');
	const section = /## Switches\n([^]*?)\n## /.exec(readme)?.[1] ?? '';
	let name = '';
	const documented: Record<string, string[]> = {};
	for (const [, first, value] of section.matchAll(/^\| (?:`(\w+)` )?\| `(\w+)` \|/gm)) {
		name = first ?? name;
		(documented[name] ??= []).push(value!);
	}
	const actual = Object.entries(switchesSchema.shape).map(([key, schema]) => [
		key,
		'options' in schema && schema.options.every((each) => typeof each === 'string')
			? schema.options
			: [DEFAULT_SWITCHES[key as keyof typeof DEFAULT_SWITCHES]],
	]);
	expect(documented).toEqual(Object.fromEntries(actual));
	const firsts = Object.entries(documented).map(([key, [first]]) => [key, first]);
	expect(Object.fromEntries(firsts)).toEqual(DEFAULT_SWITCHES);
});
