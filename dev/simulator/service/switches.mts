import type { Random } from '../random.mts';

/** What the specification leaves open and services do differently; see docs/assumptions.md. */
export interface Switches {
	/** `data` of the reply to a create: empty, or with link and reference. */
	replies: 'empty' | 'rich';
	/** An entry in the list of links: with its callback URL, without it, or all of it under other names. */
	listEntries: 'callbackUrl' | 'fields' | 'otherNames';
	/** How far the list lags behind what was created, in seconds. */
	listLag: number;
	records: 'callbackUrl' | 'noCallbackUrl';
	/** Whether a record states the merchant's own references. */
	recordsNameOrder: boolean;
	/** What is kept of a callback URL, and called. */
	callbackUrls: 'whole' | 'noQuery' | 'cut255';
	/** By what the status of a transaction is asked for: its own reference only, or also the merchant's. */
	statusBy: 'ref' | 'ownReference';
	/** How far records lag behind callbacks, in seconds. */
	statusLag: number;
	/** Words for success, failed and pending. */
	words: { success: string; failed: string; pending: string };
	numbers: 'plain' | 'commas';
	/** Each try to pay a link is a transaction with the link's reference, or with one of its own. */
	tries: 'sameReference' | 'ownReference';
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
};

const WORDS = [
	KINDEST.words,
	{ success: 'SUCCESSFUL', failed: 'FAILED', pending: 'PENDING' },
	{ success: 'Completed', failed: 'Declined', pending: 'Processing' },
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
});
