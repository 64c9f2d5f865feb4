import { z } from 'zod';

import type { ExtraStatuses } from '../payment/state';

/** The first is the default. */
export const MOBILE_FORMATS = ['international', 'e164', 'asEntered'] as const;
export type MobileFormat = (typeof MOBILE_FORMATS)[number];

/** How one service wants things, which the specification leaves open. Set once, in the credential. */
export interface ServiceSettings {
	mobileFormat: MobileFormat;
	/** Amounts of collections, in countries that the specification marks with "2 dp". */
	twoDecimals: boolean;
	/** Collections to countries that are marked as not supported. */
	allowUnsupportedCountry: boolean;
	orderInCallbackUrl: boolean;
	/** The service's own words for the state of a transaction. */
	statuses: ExtraStatuses;
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
	[true, true],
	['true', true],
	[false, false],
	['false', false],
]);

/** An expression can give anything. What is neither yes nor no is refused, never guessed. */
export const flag = (whenEmpty: boolean) =>
	z
		.unknown()
		.nullish()
		.transform((given) => ((given ?? '') === '' ? whenEmpty : given))
		.refine((given) => FLAGS.has(given), { message: 'must be true or false' })
		.transform((given) => FLAGS.get(given) === true);

/** "done, credited" */
export const wordsIn = (given: string): string[] =>
	given
		.split(',')
		.map((word) => word.trim())
		.filter((word) => word !== '');
