// Callbacks at an address without our mark. Nothing is repeated for them, and nobody waits for them.
import { until } from '../../../dev/host/shared/until.mts';
import { STRANGERS } from '../../../nodes/UnifiedPayments/transport/strangers.ts';
import { throughout } from '../../helpers/throughout.mts';
import { handled, post, recordOf, World } from './support.mts';

const FEW = 3;
const world = throughout(async () => await World.start());
afterEach(() => void (STRANGERS.perMinute = 60));

it('who call the second address first have nothing repeated', async () => {
	const host = await world.serve();
	const finished = { ...host, url: host.url.replace(/webhook$/, 'finished') };
	const paid = await world.collect({ reference: 'A-2' });
	world.sandbox.settle(paid.ref, 'success');
	const told = [];
	for (let time = 0; time < 3; time++) {
		told.push((await handled(finished, { ref: paid.ref })).callback.length);
	}
	expect(told).toEqual([1, 0, 0]);
	await handled(finished, recordOf(paid));
	expect(host.runs.flatMap(({ callback }) => callback)).toHaveLength(1);
});

it('are looked up within a budget, told to come again beyond it, and keep no genuine one from being confirmed', async () => {
	STRANGERS.perMinute = FEW;
	const host = await world.serve();
	const genuine = await world.collect({ callbackUrl: host.url, reference: 'A-1' });
	const before = world.asked;
	const answers = [];
	for (let n = 0; n < 3 * FEW; n++) answers.push(await post(host, { ref: `TX-${n}` }));
	await host.idle();
	expect(answers.map(({ status }) => status)).toEqual([
		...Array<number>(FEW).fill(200),
		...Array<number>(2 * FEW).fill(503),
	]);
	expect([world.asked - before, host.runs.length]).toEqual([FEW, FEW]);

	// The service calls the address that it was given, with our mark.
	world.sandbox.settle(genuine.ref, 'success');
	await until('the callback', async () => (host.runs.length > FEW ? true : undefined));
	await host.idle();
	expect(host.runs.at(-1)!.callback).toMatchObject([{ state: 'success', orderReference: 'A-1' }]);
});
