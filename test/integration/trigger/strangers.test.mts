// What callbacks without a token make us ask of the service.
import { until } from '../../../dev/host/shared/until.mts';
import { PER_MINUTE } from '../../../nodes/UnifiedPayments/transport/askingBudget.ts';
import { handled, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const FEW = 3;
const world = throughout(async () => await World.start());
const limits = PER_MINUTE as Record<string, number>;
const { stranger: usual } = limits;
beforeAll(async () => void (limits.stranger = FEW));
afterAll(async () => void (limits.stranger = usual!));

it('is limited, is told, and does not keep a genuine callback from being confirmed', async () => {
	const credential = world.credential({ callbackToken: '' });
	const host = await world.serve({}, { credential });
	const genuine = await world.collect({ callbackUrl: host.url, reference: 'A-1' }, credential);
	for (let n = 0; n < 3 * FEW; n++) {
		await handled(host, { ref: `TX-${n}`, status: 'success' }, { token: null });
	}
	expect(world.asked).toBe(FEW);
	expect(host.runs.at(-1)!.rejected).toMatchObject([
		{ reason: 'asked_too_often', mayBecomeTrue: true, reference: `TX-${3 * FEW - 1}` },
	]);
	expect(JSON.stringify(host.log)).toContain('a callback was not confirmed');

	// The service calls the address that it was given, with our mark.
	world.sandbox.settle(genuine.ref, 'success');
	await until('the callback', async () => (host.runs.length > 3 * FEW ? true : undefined));
	await host.idle();
	expect(host.runs.at(-1)!.callback).toMatchObject([{ state: 'success', orderReference: 'A-1' }]);
});
