import { NaiveTrigger } from '../../helpers/naive-trigger.mts';
import type { TriggerHost } from '../../../host/engine/index.mts';
import type { Transaction } from '../../../sandbox/index.mts';
import {
	everythingOf,
	post,
	recordOf,
	SECRET,
	TOKEN,
	World,
	type PostOptions,
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

/** Refused at the endpoint. More ways to come without the token are in `forgeries`. */
const AT_THE_DOOR: Attack[] = [
	['no token', 401, forged, { token: null }],
	['the token in the body', 401, () => ({ ...forged(), token: TOKEN }), { token: null }],
	['GET', 404, forged, { method: 'GET' }],
	['PUT', 404, forged, { method: 'PUT' }],
	['PATCH', 404, forged, { method: 'PATCH' }],
	['DELETE', 404, forged, { method: 'DELETE' }],
	['XML', 415, () => `<transaction><ref>${paid.ref}</ref></transaction>`, typed('application/xml')],
	['text/xml', 415, () => `<ref>${paid.ref}</ref>`, typed('text/xml')],
	[
		'a form',
		415,
		() => `ref=${paid.ref}&status=success`,
		typed('application/x-www-form-urlencoded'),
	],
	[
		'multipart',
		415,
		() => `--x\r\ncontent-disposition: form-data; name="ref"\r\n\r\n${paid.ref}\r\n--x--\r\n`,
		typed('multipart/form-data; boundary=x'),
	],
	['plain text', 415, forged, typed('text/plain')],
	['an odd content type', 415, forged, typed('application/whatever')],
	['no content type', 415, forged, typed('')],
	['null', 400, () => 'null'],
	['[]', 400, () => '[]'],
	['a list of records', 400, () => [forged()]],
	['"x"', 400, () => '"x"'],
	['1', 400, () => '1'],
	['true', 400, () => 'true'],
	['an empty body', 400, () => ''],
	['broken JSON', 422, () => '{"ref":'],
	['__proto__', 400, () => `{"ref":"${paid.ref}","__proto__":{"polluted":true}}`],
	['a deep __proto__', 400, () => `{"ref":"${paid.ref}","data":{"__proto__":{"polluted":true}}}`],
	[
		'constructor.prototype',
		400,
		() => ({ ref: paid.ref, constructor: { prototype: { polluted: true } } }),
	],
	['15 MB', 413, () => ({ ref: paid.ref, filler: 'x'.repeat(15 * 1024 * 1024) })],
	['a byte more than 256 KiB', 413, () => `{"ref":"${paid.ref}"${' '.repeat(256 * 1024)}}`],
	['JSON nested 50,000 deep in 300 KB', 413, () => deep(50_000)],
	['JSON nested 40,000 deep', 400, () => deep(40_000)],
	['lists nested 100,000 deep', 400, () => `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
	['JSON nested 33 deep', 400, () => deep(33)],
];

/** Let in with the right token, and not believed. */
const AT_THE_SERVICE: Array<[name: string, reason: string, body: () => unknown]> = [
	['a forged "paid"', 'state_not_confirmed', forged],
	['a forged "failed"', 'state_not_confirmed', () => recordOf(paid, { status: 'failed' })],
	['an altered amount', 'amount_mismatch', () => recordOf(paid, { amount: '1.00' })],
	['an altered currency', 'currency_mismatch', () => recordOf(paid, { currency: 'USD' })],
	[
		"another order's real reference around this one",
		'reference_mismatch',
		() => ({ ref: paid.ref, data: recordOf(pending) }),
	],
	[
		"another order's real reference as id",
		'reference_mismatch',
		() => ({ ref: 'TX-made-up', id: paid.ref, status: 'success' }),
	],
	[
		"another order's real reference with this one's amount",
		'amount_mismatch',
		() => recordOf(pending, { ref: paid.ref, status: 'success' }),
	],
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
	let host: TriggerHost;

	beforeAll(async () => {
		host = await world.serve();
	});

	const rows = AT_THE_DOOR.map(([name, status, body, options = {}]) => ({
		name,
		status,
		body,
		options,
	}));

	it.each(rows)('$name: $status', async ({ status, body, options }) => {
		const [asked, logged] = [world.asked, host.log.length];
		const answer = await post(host.url, body(), options);
		await host.idle();
		expect(answer.status).toBe(status);
		expect(host.stored).toEqual([]);
		expect(world.asked).toBe(asked);
		// 404 and 422 are the host's own answers.
		if (status === 404 || status === 422) return;
		expect(answer.json).toEqual({ accepted: false, reason: expect.any(String) as unknown });
		const lines = host.log.slice(logged);
		expect(lines).toHaveLength(1);
		expect(lines[0]).toMatchObject({
			level: 'warn',
			metadata: { reason: (answer.json as { reason: string }).reason, address: '127.0.0.1' },
		});
	});

	it('leave nothing behind', () => {
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		expect(host.runs).toEqual([]);
		for (const secret of [TOKEN, SECRET]) expect(everythingOf(host)).not.toContain(secret);
	});
});

describe('attacks that end at the service', () => {
	const hosts = new Map<string, TriggerHost>();

	// All at once: a claim that may only be early is looked at again after some seconds.
	beforeAll(async () => {
		const attack = async ([name, , body]: (typeof AT_THE_SERVICE)[number]) => {
			const host = await world.serve();
			hosts.set(name, host);
			expect((await post(host.url, body())).status).toBe(200);
			await host.idle();
		};
		await Promise.all(AT_THE_SERVICE.map(attack));
	}, 60_000);

	it.each(AT_THE_SERVICE)('%s: %s', (name, reason) => {
		const host = hosts.get(name)!;
		const [run] = host.runs;
		expect(run!.status).toBe('success');
		expect(run!.callback).toEqual([]);
		expect(run!.rejected).toMatchObject([
			{
				event: 'callback.rejected',
				verified: false,
				reason,
				message: expect.stringMatching(/^[A-Z].{20,}/) as unknown,
				advice: expect.stringMatching(/^[A-Z].{20,}\.$/) as unknown,
				mayBecomeTrue: ['not_found', 'a forged "paid"'].some((each) =>
					[reason, name].includes(each),
				),
			},
		]);
		expect(Object.keys(run!.rejected[0]!).sort()).toEqual([
			'advice',
			'callback',
			'event',
			'mayBecomeTrue',
			'message',
			'reason',
			'reference',
			'verified',
		]);
		for (const secret of [TOKEN, SECRET]) expect(everythingOf(host)).not.toContain(secret);
	});
});

describe('the naive trigger, as control', () => {
	it('starts an execution for most of what ours refuses, and keeps the token', async () => {
		const host = await world.serve({}, { type: new NaiveTrigger() });
		const cheap = AT_THE_DOOR.filter(([, status]) => [400, 413, 415].includes(status));
		for (const [, , body, options] of cheap) await post(host.url, body(), options);
		await post(host.url, forged(), { query: `token[]=${TOKEN}` });
		await host.idle();
		expect(host.stored.length).toBeGreaterThan(15);
		expect(everythingOf(host)).toContain(TOKEN);
	});
});
