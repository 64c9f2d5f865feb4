import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { post, recordOf, SECRET, TOKEN, World, everythingOf } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());

describe('a callback is confirmed with the service', () => {
	it("emits the service's record, not the callback's", async () => {
		const host = await world.serve();
		const made = await world.collect({ callbackUrl: host.url });
		world.sandbox.settle(made.ref, 'success');
		const answer = await post(host.url, { ref: made.ref, status: 'success', extra: 'x' });
		expect(answer).toMatchObject({ status: 200, json: { accepted: true } });
		await host.idle();
		const items = host.runs.flatMap(({ callback }) => callback);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			event: 'transaction.updated',
			verified: 'confirmed',
			state: 'success',
			transaction: { ref: made.ref, state: 'success', amount: 1500, currency: 'KES' },
			callback: { body: expect.objectContaining({ ref: made.ref }) as unknown },
			eventKey: `${made.ref}:success`,
		});
		expect(host.runs.flatMap(({ rejected }) => rejected)).toEqual([]);
		expect(everythingOf(host)).not.toContain(TOKEN);
		expect(everythingOf(host)).not.toContain(SECRET);
	});

	it('rejects a forged success', async () => {
		const host = await world.serve();
		const made = await world.collect();
		await post(host.url, recordOf(made, { status: 'success' }));
		await host.idle();
		expect(host.runs.map(({ callback }) => callback)).toEqual([[]]);
		expect(host.runs[0]!.rejected).toMatchObject([
			{
				event: 'callback.rejected',
				verified: false,
				reason: 'state_not_confirmed',
				reference: made.ref,
				callback: { body: expect.objectContaining({ status: 'success' }) as unknown },
			},
		]);
	}, 20_000);

	it('emits every field that the output schema promises', async () => {
		const host = await world.serve();
		const order = { orderReference: 'A-1', amount: '1500', currency: 'KES' };
		const mark = writeMark(
			readCredential(world.credential()),
			order,
			{ key: 'A-1', by: 'orderReference' },
			{ workflowId: 'w', nodeId: 'n' },
		);
		const callbackUrl = withMark(host.url, mark);
		const made = await world.collect({ callbackUrl, reference: 'A-1' });
		world.sandbox.settle(made.ref, 'failed');
		await post(host.url, recordOf(made));
		await host.idle();
		const file = join(process.cwd(), 'nodes/UnifiedPayments/__schema__/v2.0.0.json');
		const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
		const [item] = host.runs[0]!.callback;
		// Of one that failed it cannot be said.
		expect(missing(schema, item)).toEqual(['item.paidInFull is null, not boolean']);
		expect(Object.keys(item!).sort()).toEqual(Object.keys(schema.properties!).sort());
	});

	it('is ten fields, flat, when that is asked for', async () => {
		const host = await world.serve({ options: { simplify: true } });
		const made = await world.collect({ reference: 'A-2' });
		world.sandbox.settle(made.ref, 'failed');
		await post(host.url, recordOf(made));
		await host.idle();
		const [item] = host.runs[0]!.callback;
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

	it('is as it has always been when the switch was turned off', async () => {
		const host = await world.serve({ options: { simplify: false } });
		const made = await world.collect({ reference: 'A-3' });
		await post(host.url, recordOf(made));
		await host.idle();
		expect(host.runs[0]!.callback[0]).toMatchObject({ transaction: { ref: made.ref } });
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
