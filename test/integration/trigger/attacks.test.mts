import type { Transaction } from '../../../dev/sandbox/index.mts';
import {
	everythingOf,
	handled,
	post,
	recordOf,
	SECRET,
	World,
	type PostOptions,
	type Served,
} from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());
let pending: Transaction;
let paid: Transaction;

beforeAll(async () => {
	pending = await world.collect({ amount: 1500 });
	paid = await world.collect({ amount: 700 });
	world.sandbox.settle(paid.ref, 'success');
});

const deep = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const forged = () => recordOf(pending, { status: 'success', status_code: '200' });

type Attack = [name: string, status: number, body: () => unknown, options?: PostOptions];

const typed = (type: string): PostOptions => ({ headers: { 'content-type': type } });

/**
 * Refused at the endpoint. More bad marks are in `forgeries`, more bodies in
 * the unit test of the endpoint.
 */
const AT_THE_DOOR: Attack[] = [
	['a bad mark', 401, forged, { query: 'upo=x' }],
	['GET', 404, forged, { method: 'GET' }],
	['PUT', 404, forged, { method: 'PUT' }],
	['XML', 415, () => `<transaction><ref>${paid.ref}</ref></transaction>`, typed('application/xml')],
	['a form', 415, () => `ref=${paid.ref}`, typed('application/x-www-form-urlencoded')],
	[
		'multipart',
		415,
		() => `--x\r\ncontent-disposition: form-data; name="ref"\r\n\r\n${paid.ref}\r\n--x--\r\n`,
		typed('multipart/form-data; boundary=x'),
	],
	['no content type', 415, forged, typed('')],
	['null', 400, () => 'null'],
	['a list of records', 400, () => [forged()]],
	['"x"', 400, () => '"x"'],
	['an empty body', 400, () => ''],
	['broken JSON', 422, () => '{"ref":'],
	['__proto__', 400, () => `{"ref":"${paid.ref}","__proto__":{"polluted":true}}`],
	['15 MB', 413, () => ({ ref: paid.ref, filler: 'x'.repeat(15 * 1024 * 1024) })],
	['a byte more than 256 KiB', 413, () => `{"ref":"${paid.ref}"${' '.repeat(256 * 1024)}}`],
	['JSON nested 40,000 deep', 400, () => deep(40_000)],
	['lists nested 100,000 deep', 400, () => `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
];

/** Let in at an address of our own, and not believed. */
const AT_THE_SERVICE: Array<[name: string, reason: string, body: () => unknown]> = [
	['a forged "paid"', 'state_not_confirmed', forged],
	['a forged "failed"', 'state_not_confirmed', () => recordOf(paid, { status: 'failed' })],
	['an altered amount', 'amount_mismatch', () => recordOf(paid, { amount: '1.00' })],
	['an altered currency', 'currency_mismatch', () => recordOf(paid, { currency: 'USD' })],
	['a real reference around', 'state_not_confirmed', () => ({ ref: paid.ref, data: forged() })],
	['a real reference as id', 'not_found', () => ({ ref: 'TX-made-up', id: paid.ref })],
	["a real reference, another's amount", 'amount_mismatch', () => ({ ...forged(), ref: paid.ref })],
	['a made-up reference', 'not_found', () => ({ ref: 'TX-made-up', status: 'success' })],
	["another integration's reference", 'not_found', () => ({ ref: foreign(), status: 'success' })],
	['no reference', 'no_reference', () => ({ status: 'success', amount: 1500 })],
	['a list as reference', 'no_reference', () => ({ ref: [paid.ref] })],
	['a path as reference', 'not_found', () => ({ ref: '../../balance?x=1#' })],
	['an empty object', 'no_reference', () => ({})],
];

const foreign = () => {
	const second = world.sandbox.integrations[1]!.id;
	return world.sandbox.addPayout({ integration: second }).ref;
};

describe('attacks that end at the endpoint', () => {
	let host: Served;

	beforeAll(async () => {
		host = await world.serve();
	});

	it.each(AT_THE_DOOR)('%s: %d', async (_, status, body, options = {}) => {
		const [asked, logged] = [world.asked, host.log.length];
		const answer = await post(host, body(), options);
		await host.idle();
		expect(answer.status).toBe(status);
		expect(host.stored).toEqual([]);
		expect(world.asked).toBe(asked);
		// 404 and 422 are the host's own answers.
		if (status === 404 || status === 422) return;
		expect(answer.json).toEqual({ accepted: false, reason: expect.any(String) as unknown });
		const { reason } = answer.json as { reason: string };
		expect(host.log.slice(logged)).toMatchObject([
			{ level: 'warn', metadata: { reason, address: '127.0.0.1' } },
		]);
	});

	it('leave nothing behind', () => {
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		expect(host.runs).toEqual([]);
		expect(everythingOf(host)).not.toContain(SECRET);
	});
});

describe('attacks that end at the service', () => {
	it.each(AT_THE_SERVICE)('%s: %s', async (name, reason, body) => {
		const host = await world.serve();
		const { status, callback, rejected } = await handled(host, body(), { order: null });
		expect([status, callback]).toEqual(['success', []]);
		expect(rejected).toEqual([
			{
				event: 'callback.rejected',
				verified: false,
				reason,
				reference: reason === 'no_reference' ? null : expect.any(String),
				message: expect.stringMatching(/^[A-Z].{20,}/) as unknown,
				advice: expect.stringMatching(/^[A-Z].{20,}\.$/) as unknown,
				mayBecomeTrue: reason === 'not_found' || / "paid"| around$/.test(name),
				callback: expect.any(Object) as unknown,
			},
		]);
		expect(everythingOf(host)).not.toContain(SECRET);
	});
});
