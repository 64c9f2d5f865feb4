import { z } from 'zod';

/** A name of a field; a dot reaches inside. */
const field = z.string().regex(/^\w+(?:\.\w+)*$/, 'must be the name of a field');

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
		/** The field of the service's own reference, in records and callbacks, and in replies and entries. */
		referenceField: z.union([z.literal('documented'), field]),
		/** The field of a link in replies and entries. */
		linkField: z.union([z.literal('documented'), field]),
		/** The words of `status`. */
		successStatus: z.string().trim().min(1),
		failureStatus: z.string().trim().min(1),
		/** Whether `failureReason` says why a payment failed. */
		failureReason: z.enum(['stated', 'empty']),
		/** What a create is refused with where its values are at fault: the error table's words, or these. */
		refusal: z.string().trim().min(1),
	})
	.strict();

export type Switches = z.infer<typeof switchesSchema>;

export const DEFAULT_SWITCHES: Switches = {
	mode: 'spec',
	listEntries: 'callbackUrl',
	records: 'callbackUrl',
	callbackUrls: 'whole',
	statusBy: 'ref',
	referenceField: 'documented',
	linkField: 'documented',
	successStatus: 'success',
	failureStatus: 'failed',
	failureReason: 'stated',
	refusal: 'documented',
};

/** Those that are given, and the default of the others. */
export const switchesIn = (given: Partial<Switches>): Switches =>
	Object.fromEntries(
		Object.entries(DEFAULT_SWITCHES).map(([name, value]) => [
			name,
			given[name as keyof Switches] ?? value,
		]),
	) as Switches;

type Wire = Record<string, unknown>;

/** With a field at a path such as `payment.id`. */
const withField = (place: Wire, path: string, value: unknown): Wire => {
	const [name = '', ...inner] = path.split('.');
	const held = (place[name] ?? {}) as Wire;
	return { ...place, [name]: inner.length === 0 ? value : withField(held, inner.join('.'), value) };
};

/** The field is called as the switch says, in place of its own name. */
export function renamed(place: Wire, own: string, name: string): Wire {
	if (name === 'documented' || !(own in place)) return place;
	const { [own]: value, ...rest } = place;
	return withField(rest, name, value);
}

/** A reply to a create, or a listed link, as this service calls its fields. */
export const namedEntry = (
	entry: Wire,
	{ referenceField, linkField }: Switches,
	own = { reference: 'reference', link: 'link' },
): Wire => renamed(renamed(entry, own.reference, referenceField), own.link, linkField);

const LONGEST_KEPT = 255;

/** What the service keeps of a callback URL it was given. */
export function keptCallbackUrl(url: string, { callbackUrls }: Switches): string {
	if (callbackUrls === 'noQuery') return url.replace(/[?#].*$/s, '');
	return callbackUrls === 'cut255' ? url.slice(0, LONGEST_KEPT) : url;
}
