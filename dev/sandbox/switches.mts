import { z } from 'zod';

/**
 * What the specification leaves open and services do differently. Each switch can be set at the start
 * and while the sandbox runs. The first value of each is the default: the specification's own sample
 * where there is one, otherwise what keeps most of what was sent.
 */
export const switchesSchema = z
	.object({
		/** `data` of the reply to a create: empty, or with link and reference. */
		mode: z.enum(['spec', 'rich']),
		/** An entry in the list of links: all fields of its creation, all but the callback URL, or all under other names. */
		listEntries: z.enum(['callbackUrl', 'fields', 'otherNames']),
		/** Whether the record of a transaction states its `callback_url`. */
		records: z.enum(['callbackUrl', 'noCallbackUrl']),
		/** What is kept of a callback URL, and called: all of it, no query string, or its first 255 characters. */
		callbackUrls: z.enum(['whole', 'noQuery', 'cut255']),
		/** By what the status of a transaction is asked for: its own reference only, or also the merchant's. */
		statusBy: z.enum(['ref', 'ownReference']),
	})
	.strict();

export type Switches = z.infer<typeof switchesSchema>;

export const DEFAULT_SWITCHES: Switches = {
	mode: 'spec',
	listEntries: 'callbackUrl',
	records: 'callbackUrl',
	callbackUrls: 'whole',
	statusBy: 'ref',
};

const LONGEST_KEPT = 255;

/** What the service keeps of a callback URL it was given. */
export function keptCallbackUrl(url: string, { callbackUrls }: Switches): string {
	if (callbackUrls === 'noQuery') return url.replace(/[?#].*$/s, '');
	return callbackUrls === 'cut255' ? url.slice(0, LONGEST_KEPT) : url;
}
