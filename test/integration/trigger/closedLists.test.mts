// What callbacks and records call things, before and after the credential lists it.
import type { IDataObject } from 'n8n-workflow';

import type { Switches } from '../../../dev/sandbox/index.mts';
import { throughout } from '../../helpers/throughout.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { World } from './support.mts';

const world = throughout(async () => await World.start({ settleDelayMs: 0 }));

/** What comes out for a payment that succeeds, or fails. */
async function heard(
	switches: Partial<Switches>,
	setting: IDataObject,
	status: 'success' | 'failed',
	verification: string,
) {
	world.sandbox.reset();
	world.sandbox.change(switches);
	const credential = world.credential(setting as never);
	const host = await world.serve({ verification }, { credential });
	const callbackUrl = host.url;
	await world.collect({ amount: status === 'success' ? 990200 : 990401, callbackUrl }, credential);
	await until('the callback', async () =>
		world.sandbox.state.callbacks.some(({ attempts }) => attempts.length > 0) ? true : undefined,
	);
	await host.idle();
	const [item] = host.runs.flatMap(({ callback }) => callback) as IDataObject[];
	const [rejected] = host.runs.flatMap((each) => each.rejected) as IDataObject[];
	return item?.state ?? rejected?.reason;
}

it.each<[string, Partial<Switches>, IDataObject, 'success' | 'failed', string]>([
	['paid', { successStatus: 'Settled' }, { successStatuses: 'Settled' }, 'success', 'pending'],
	[
		'not paid',
		{ failureStatus: 'Bounced', failureReason: 'empty' },
		{ failureStatuses: 'Bounced' },
		'failed',
		'pending',
	],
	[
		'the reference',
		{ referenceField: 'payment.id' },
		{ referenceFields: 'payment.id' },
		'success',
		'no_reference',
	],
])('the name for %s', async (_, switches, setting, state, before) => {
	for (const verification of ['confirm', 'address']) {
		expect(await heard(switches, {}, state, verification)).toBe(before);
		expect(await heard(switches, setting, state, verification)).toBe(state);
	}
});
