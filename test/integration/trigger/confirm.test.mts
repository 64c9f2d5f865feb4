import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { markedUrl } from '../../helpers/marks.mts';
import { throughout } from '../../helpers/throughout.mts';
import { everythingOf, handled, recordOf, SECRET, World } from './support.mts';

const world = throughout(async () => await World.start());

describe('a callback is confirmed with the service', () => {
	it("emits the service's record, not the callback's", async () => {
		const host = await world.serve();
		const made = await world.collect();
		world.sandbox.settle(made.ref, 'success');
		const run = await handled(host, { ref: made.ref, status: 'success', extra: 'x' });
		expect(run.callback).toMatchObject([
			{
				event: 'transaction.updated',
				verified: 'confirmed',
				state: 'success',
				transaction: { ref: made.ref, state: 'success', amount: 1500, currency: 'KES' },
				callback: { body: { ref: made.ref, extra: 'x' } },
				eventKey: `${made.ref}:success`,
			},
		]);
		expect(run.rejected).toEqual([]);
		expect(everythingOf(host)).not.toContain(SECRET);
	});

	it('emits every field that the output schema promises', async () => {
		const host = await world.serve();
		// Nobody listens there: the callback is ours alone.
		const callbackUrl = markedUrl('http://127.0.0.1:1/hook', world.credential(), 'A-1');
		const made = await world.collect({ callbackUrl, reference: 'A-1' });
		world.sandbox.settle(made.ref, 'failed');
		const file = join(process.cwd(), 'nodes/UnifiedPayments/__schema__/v2.0.0.json');
		const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
		const [item] = (await handled(host, recordOf(made))).callback;
		// Of one that failed it cannot be said.
		expect(missing(schema, item)).toEqual(['item.paidInFull is null, not boolean']);
		expect(Object.keys(item!).sort()).toEqual(Object.keys(schema.properties!).sort());
	});

	it('is ten fields, flat, when that is asked for', async () => {
		const host = await world.serve({ options: { simplify: true } });
		const made = await world.collect({ reference: 'A-2' });
		world.sandbox.settle(made.ref, 'failed');
		const [item] = (await handled(host, recordOf(made))).callback;
		expect(Object.entries(item!)).toEqual([
			['ref', made.ref],
			['state', 'failed'],
			['orderReference', null],
			['amount', made.amount],
			['currency', 'KES'],
			['paidInFull', null],
			['mobile', made.mobile],
			['failureMessage', expect.any(String)],
			['type', 'payin'],
			['verified', 'confirmed'],
		]);
	});

	it('a payment that was taken back is a failed payin, whatever its record calls itself', async () => {
		const record = { ref: 'TX-1', amount: '10', currency: 'KES', type: 'reversal' };
		const { host } = await world.against({ ...record, status: 'reversed' });
		const { callback, rejected } = await handled(host, { ref: 'TX-1' }, { order: null });
		expect([callback, rejected]).toMatchObject([[{ state: 'failed', type: 'payin' }], []]);
	});

	it('is as it has always been when the switch was turned off', async () => {
		const host = await world.serve({ options: { simplify: false } });
		const made = await world.collect({ reference: 'A-3' });
		const { callback } = await handled(host, recordOf(made));
		expect(callback).toMatchObject([{ transaction: { ref: made.ref } }]);
	});
});

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
}

/** Where the value does not fit the schema. */
function missing(schema: Schema, value: unknown, path = 'item'): string[] {
	const type = value === null ? 'null' : typeof value;
	if (type !== schema.type) return [`${path} is ${type}, not ${schema.type}`];
	return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
		missing(inner, (value as Record<string, unknown>)[name], `${path}.${name}`),
	);
}
