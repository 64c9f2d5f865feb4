import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import {
	AskedTooOftenError,
	PER_MINUTE,
	withBudget,
	type Caller,
} from '../../../nodes/UnifiedPayments/transport/askingBudget.ts';
import { CallError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import {
	failureOf,
	type FailureKind,
	type Failure,
} from '../../../nodes/UnifiedPayments/transport/verdict.ts';

let now = Date.UTC(2026, 0, 1);
let accounts = 0;
beforeEach(() => {
	accounts++;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const credentialOf = (clientId = `client ${accounts}`) =>
	readCredential({ baseUrl: 'https://pay.example.com', clientId, sender: 's', secretKey: 'k' });

/** Someone who makes us ask, and how often the service was asked. */
function callerOf(caller: Caller, { clientId = `client ${accounts}`, patienceMs = 0 } = {}) {
	const tries: number[] = [];
	const slept: number[] = [];
	let failure: Failure | null = null;
	const client = withBudget(
		{
			async query(_path, _params, { maxRetries }) {
				tries.push(maxRetries ?? Number.NaN);
				if (failure !== null) throw new CallError(failure, { name: 'it', creates: false });
				return { success: true, message: null, data: {}, body: {} };
			},
		},
		credentialOf(clientId),
		{ caller, patienceMs, sleep: async (ms) => void slept.push(ms) },
	);
	return {
		tries,
		slept,
		fail: (kind: FailureKind, known: Partial<Failure> = {}) => (failure = failureOf(kind, known)),
		ask: async () =>
			await client.query('/status', {}, { timeoutSeconds: 1, maxRetries: 3 }, 'the status').then(
				() => 'asked' as const,
				(error: Error) => error.constructor,
			),
	};
}

async function useUp(caller: Caller) {
	const all = callerOf(caller);
	for (let n = 0; n < PER_MINUTE[caller]; n++) expect(await all.ask()).toBe('asked');
	expect(await all.ask()).toBe(AskedTooOftenError);
	expect(all.tries).toHaveLength(PER_MINUTE[caller]);
	// None of them is tried again by itself.
	expect(new Set(all.tries)).toEqual(new Set([0]));
}

it('strangers cannot use up what is left for those who know the address, or for other accounts', async () => {
	await useUp('stranger');
	expect(await callerOf('knowsAddress').ask()).toBe('asked');
	expect(await callerOf('stranger', { clientId: 'another' }).ask()).toBe('asked');
	await useUp('knowsAddress').catch(() => undefined);
	expect(await callerOf('knowsAddress').ask()).toBe(AskedTooOftenError);
});

it('what was used up comes back within a minute, and no more than that', async () => {
	await useUp('stranger');
	now += 1_000;
	const some = callerOf('stranger');
	for (let n = 0; n < 10; n++) await some.ask();
	expect(some.tries).toHaveLength(PER_MINUTE.stranger / 60);
	now += 10 * 60_000;
	await useUp('stranger');
});

it('a genuine one waits for its turn, each in a turn of its own', async () => {
	await useUp('stranger');
	const patient = callerOf('stranger', { patienceMs: 500 });
	expect([await patient.ask(), await patient.ask(), await patient.ask()]).toEqual([
		'asked',
		'asked',
		AskedTooOftenError,
	]);
	expect(patient.slept).toEqual([200, 400]);
});

it.each<[FailureKind, Partial<Failure>, number]>([
	['rateLimited', { retryAfterMs: 30_000 }, 30_000],
	['rateLimited', {}, 5_000],
	['serverFault', {}, 1_000],
])('a service that is busy is left alone by all of them: %s %j', async (kind, known, ms) => {
	const one = callerOf('stranger');
	one.fail(kind, known);
	expect(await one.ask()).toBe(CallError);
	const other = callerOf('knowsAddress');
	expect(await other.ask()).toBe(AskedTooOftenError);
	now += ms - 1;
	expect(await other.ask()).toBe(AskedTooOftenError);
	expect(other.tries).toEqual([]);
	now += 1;
	expect(await other.ask()).toBe('asked');
});

it('a service that only said no, or a fault of ours, makes nobody wait', async () => {
	const one = callerOf('stranger');
	one.fail('refused', { retryAfterMs: 9_000 });
	expect([await one.ask(), await one.ask()]).toEqual([CallError, CallError]);
	const broken = { query: async () => await Promise.reject(new TypeError()) };
	const asking = { caller: 'stranger', patienceMs: 0, sleep: async () => {} } as const;
	const { query } = withBudget(broken, credentialOf(), asking);
	await expect(query('/status', {}, { timeoutSeconds: 1 }, '')).rejects.toThrow(TypeError);
	expect(await callerOf('stranger').ask()).toBe('asked');
});

it('memory is bounded: accounts that were used long ago are forgotten first', async () => {
	await useUp('stranger');
	for (let n = 0; n < 1_001; n++) await callerOf('stranger', { clientId: `other ${n}` }).ask();
	expect(await callerOf('stranger').ask()).toBe('asked');
});
