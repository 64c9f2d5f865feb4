import { simulate } from './simulate.mts';

// Each is put back by itself, with the first seed at which it shows: `npm run simulate -- --patch <name> --first
// --brief --seeds 200` finds that seed.
const FAULTS = [
	['claims', 1, 'nothing is taken twice'],
	['usedName', 2, 'a duplicate was sent before'],
	['anyRefusal', 2, 'only a refusal known by name is final'],
	['emptyGuard', 8, 'guards hold'],
	['algorithm', 5, 'the service accepts how it is asked'],
	['markCode', 51, 'a forged mark is refused'],
	['maker', 6, 'a link is that of its row'],
	['noList', 3, 'what the service shows is known'],
	['failedTry', 43, 'a failed try does not end the wait for a link'],
	['pairing', 2, 'an item is paired to its row'],
	['commas', 3, 'what is paid in full is told so'],
	['echoedSignature', 13, 'nothing secret is shown'],
	['againPaid', 3, 'paid in full is paid in full'],
] as const;

it('ten faults and more, put back one at a time, are each found', async () => {
	const { told } = await simulate(
		'--faults',
		FAULTS.map(([name, seed]) => `${name}:${seed}`).join(),
	);
	expect(told.trim().split('\n')).toEqual(
		FAULTS.map(([name, seed, invariant]) => `${name} at ${seed}: ${invariant}`),
	);
}, 240_000);
