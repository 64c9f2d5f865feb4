import type { IDataObject } from 'n8n-workflow';

import { until } from '../../../dev/host/shared/until.mts';
import type { Switches } from '../../../dev/sandbox/index.mts';
import { createLinks, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start({ settleDelayMs: 0 }));

/** Twins in everything but their order, an odd order, and a payment without one. */
const ORDERS = ['INV-2026-10', 'INV-2026-11', 'A 2/3 é', ''];

/** What comes out when each link is paid, the second one in part. */
async function paidLinks(switches: Partial<Switches>, verification = 'confirm') {
	world.sandbox.reset();
	world.sandbox.change(switches);
	const credential = world.credential();
	const host = await world.serve({ verification }, { credential });
	// One after the other, so that references are in the order of the rows.
	const options = { concurrency: 1 };
	await createLinks(
		{ amount: 100, orderReference: '={{ $json.order }}', callbackUrl: host.url, options },
		credential,
		{ items: ORDERS.map((order) => ({ order })), workflowId: `switches-${host.url}` },
	);
	const references = world.sandbox.state.links.map(({ reference }) => reference).sort();
	expect(references).toHaveLength(ORDERS.length);
	for (const [index, reference] of references.entries()) {
		await world.pay(reference, index === 1 ? { amount: 40 } : {});
	}
	await until('the callbacks', async () =>
		world.sandbox.state.callbacks.length >= ORDERS.length &&
		world.sandbox.state.callbacks.every(({ attempts }) => attempts.length > 0)
			? true
			: undefined,
	);
	await host.idle();
	const items = host.runs.flatMap(({ callback }) => callback) as IDataObject[];
	const rejected = host.runs.flatMap((each) => each.rejected);
	const byReference = new Map(
		items
			.filter(({ state }) => state === 'success')
			.map((item) => [(item.transaction as IDataObject).ref, item]),
	);
	return { items: references.map((reference) => byReference.get(reference)), rejected };
}

const asked = { amount: 100, currency: 'KES' };
const FOUND = ORDERS.map((order, index) => ({
	orderReference: order || null,
	asked,
	paidInFull: index !== 1,
}));
const WITHOUT = ORDERS.map(() => ({ orderReference: null, asked: null, paidInFull: null }));

describe.each(['spec', 'rich'] as const)('%s replies', (mode) => {
	it.each<[Partial<Switches>, object[]]>([
		[{ records: 'callbackUrl', callbackUrls: 'whole' }, FOUND],
		[{ records: 'noCallbackUrl', callbackUrls: 'whole' }, FOUND],
		[{ records: 'callbackUrl', callbackUrls: 'cut255' }, FOUND],
		[{ records: 'noCallbackUrl', callbackUrls: 'cut255' }, FOUND],
		[{ records: 'callbackUrl', callbackUrls: 'noQuery' }, WITHOUT],
		[{ records: 'noCallbackUrl', callbackUrls: 'noQuery' }, WITHOUT],
	])('a service with %o: each payment has its own order, or none', async (switches, expected) => {
		const { items, rejected } = await paidLinks({ ...switches, mode });
		expect(rejected).toEqual([]);
		expect(items).toMatchObject(expected);
	});

	it('with *Address*, callbacks to an address without its query are refused at the door', async () => {
		const whole = await paidLinks({ mode }, 'address');
		expect(whole.items).toMatchObject(FOUND);
		const { items } = await paidLinks({ mode, callbackUrls: 'noQuery' }, 'address');
		expect(items).toEqual(ORDERS.map(() => undefined));
	});
});
