import type { Random } from '../random.mts';
import type { Switches as SandboxSwitches } from '../../sandbox/switches.mts';

/** What the specification leaves open and services do differently: the sandbox's switches, and some of ours. */
export interface Switches extends Pick<
	SandboxSwitches,
	'listEntries' | 'records' | 'callbackUrls' | 'statusBy'
> {
	/** `data` of the reply to a create: empty, or with link and reference. */
	replies: 'empty' | 'rich';
	/** How far the list lags behind what was created, in seconds. */
	listLag: number;
	/** Whether a record states the merchant's own references. */
	recordsNameOrder: boolean;
	/** How far records lag behind callbacks, in seconds. */
	statusLag: number;
	/** Words for success, failed and pending. */
	words: { success: string; failed: string; pending: string };
	numbers: 'plain' | 'commas';
	/** Each try to pay a link is a transaction with the link's reference, or with one of its own. */
	tries: 'sameReference' | 'ownReference';
	/** How requests are signed; `endpoint`: the service is asked for each signature. */
	signing: 'usual' | 'other' | 'endpoint';
}

/** The first of each is the kindest service, which shrinking tries to come back to. */
export const KINDEST: Switches = {
	replies: 'rich',
	listEntries: 'callbackUrl',
	listLag: 0,
	records: 'callbackUrl',
	recordsNameOrder: true,
	callbackUrls: 'whole',
	statusBy: 'ownReference',
	statusLag: 0,
	words: { success: 'success', failed: 'failed', pending: 'pending' },
	numbers: 'plain',
	tries: 'sameReference',
	signing: 'usual',
};

/** Words that no list has unless the account's owner has entered them. */
export const OWN_WORDS = { success: 'Settled', failed: 'Bounced', pending: 'Waiting' } as const;

const WORDS = [
	KINDEST.words,
	{ success: 'SUCCESSFUL', failed: 'FAILED', pending: 'PENDING' },
	{ success: 'Completed', failed: 'Declined', pending: 'Processing' },
	OWN_WORDS,
] as const;

export const drawSwitches = (random: Random): Switches => ({
	replies: random.pick(['empty', 'rich']),
	listEntries: random.weighted([
		[3, 'callbackUrl'],
		[1, 'fields'],
		[1, 'otherNames'],
	]),
	listLag: random.weighted([
		[4, 0],
		[1, 20],
		[1, 900],
	]),
	records: random.pick(['callbackUrl', 'noCallbackUrl']),
	recordsNameOrder: random.chance(0.6),
	callbackUrls: random.weighted([
		[4, 'whole'],
		[1, 'noQuery'],
		[1, 'cut255'],
	]),
	statusBy: random.pick(['ref', 'ownReference']),
	statusLag: random.weighted([
		[3, 0],
		[1, 2],
		[1, 45],
	]),
	words: random.pick(WORDS),
	numbers: random.pick(['plain', 'commas']),
	tries: random.pick(['sameReference', 'ownReference']),
	signing: random.weighted([
		[5, 'usual'],
		[1, 'other'],
		[1, 'endpoint'],
	]),
});
