import { PATIENCE } from '../../../nodes/UnifiedPayments/trigger/execution/confirm.ts';
import { throughout } from '../../helpers/throughout.mts';
import { json } from '../../helpers/wire.mts';
import { everythingOf, found, handled, SECRET, World } from './support.mts';

const world = throughout(async () => await World.start());

type Options = Parameters<World['against']>[2];

const record = { ref: 'TX-1', amount: '10.00', currency: 'KES', status: 'success' };
const paid = found(record);
const no = (message: string) => ({ success: false, message });
const NOT_VERIFIED = no(
	'Entity integration record not found or Client id not matched or Request was not verified.',
);
const SUCCESS = [{ state: 'success', verified: 'confirmed' }];

/** A service that answers with one after the other, and on with the last; and a trigger that asks it. */
const against = async (answers: Array<[status: number, body: unknown]>, options: Options = {}) =>
	await world.against(
		(_, response, nth) => {
			const [status, body] = answers[Math.min(nth, answers.length) - 1]!;
			if (body === undefined) return void response.writeHead(status, { location: '/x' }).end();
			json(response, status, body);
		},
		{},
		options,
	);

describe('a service that cannot confirm', () => {
	it.each([
		[401, NOT_VERIFIED, /did not authorize/],
		[403, NOT_VERIFIED, /did not authorize/],
		[200, NOT_VERIFIED, /declined/],
		[200, no('User not found'), /declined/],
		[200, { success: true, message: 'OK', data: [] }, /could not be read/],
		[307, undefined, /another address/],
	])('%d with %j: the run fails visibly, and can be retried', async (status, body, words) => {
		const { host } = await against([
			[status, body],
			[200, paid],
		]);
		const run = await handled(host, record);
		expect(run.status).toBe('error');
		expect(run.failure!.message).toMatch(words);
		expect(run.failure!.message).toMatch(/\[Item 0\]$/);
		expect((run.failure as { description?: string }).description).toMatch(/retry the execution/);
		expect([run.callback, run.rejected]).toEqual([[], []]);
		expect(everythingOf(host)).not.toContain(SECRET);
		expect((await host.run(host.stored[0]!, 'retry')).callback).toMatchObject(SUCCESS);
	});

	it('a failed try does not count as seen: the next callback is emitted', async () => {
		const { host } = await against([
			[403, NOT_VERIFIED],
			[200, paid],
		]);
		expect((await handled(host, record)).status).toBe('error');
		expect((await handled(host, record)).callback).toMatchObject(SUCCESS);
	});
});

describe('when the node is told to go on', () => {
	const told = async (settings: NonNullable<Options>['settings']) => {
		const { host } = await against([[403, NOT_VERIFIED]], { settings });
		const run = await handled(host, record);
		expect(run.status).toBe('success');
		expect(run.callback).toEqual([]);
		return run;
	};

	it('with the error output, the item goes there and nowhere else', async () => {
		const { rejected, failed } = await told({ onError: 'continueErrorOutput' });
		expect(rejected).toEqual([]);
		expect(failed).toMatchObject([
			{
				error: {
					message: expect.stringMatching(/did not authorize/) as unknown,
					description: expect.any(String) as unknown,
					httpStatus: 403,
					serviceMessage: NOT_VERIFIED.message,
				},
			},
		]);
	});

	it('without one, it goes to Rejected, never among what can be believed', async () => {
		const { rejected } = await told({ onError: 'continueRegularOutput' });
		expect(rejected).toMatchObject([{ error: { httpStatus: 403 } }]);
	});

	it('a setting that cannot be read does not throw either', async () => {
		const host = await world.serve(
			{ verification: '={{ "open" }}' },
			{ settings: { onError: 'continueErrorOutput' } },
		);
		const run = await host.run([{ json: { callback: { body: record } } }]);
		expect(run.failed).toMatchObject([
			{ error: { message: expect.stringMatching(/^'Verification' must be/) as unknown } },
		]);
	});
});

describe('a service that lags behind its own callback', () => {
	it.each([
		['the record is pending', found({ ...record, status: 'pending' })],
		['the record is not there', no('Transaction not found')],
	])(
		'at our address is asked six times more while %s, then rejected for now',
		async (_, lagging) => {
			const { service, host } = await against([[200, lagging]]);
			const { rejected } = await handled(host, record, { order: null });
			expect(service.received).toHaveLength(7);
			expect(rejected).toMatchObject([
				{ mayBecomeTrue: true, message: expect.stringMatching(/may still become true/) as unknown },
			]);

			const lag = Array<[number, unknown]>(6).fill([200, lagging]);
			const { host: better } = await against([...lag, [200, paid]]);
			expect((await handled(better, record, { order: null })).callback).toMatchObject(SUCCESS);
		},
	);

	it('in earnest, is given more than a minute', () => {
		const sum = (waits: readonly number[]) => waits.reduce((all, each) => all + each, 0);
		expect(sum(PATIENCE)).toBeGreaterThanOrEqual(60_000);
	});

	it('gets no second look at unknown references from strangers', async () => {
		const { service, host } = await against([[200, no('Transaction was not created!')]]);
		const { rejected } = await handled(host, { ref: 'TX-1' });
		expect(service.received).toHaveLength(1);
		expect(rejected).toMatchObject([{ reason: 'not_found' }]);
	});

	it("the service's own secrets are not shown", async () => {
		const callback_url = 'https://a/?token=canary';
		const { host } = await world.against({ ...record, note: SECRET, callback_url });
		expect((await handled(host, record)).callback).toHaveLength(1);
		expect(everythingOf(host)).not.toContain(SECRET);
	});
});
