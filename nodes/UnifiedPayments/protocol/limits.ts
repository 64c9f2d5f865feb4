/**
 * How long a text from outside may be, in characters. What is longer is not read: it is refused, or
 * cut where it is only shown. Looked at first, so that no text is worth an attack.
 */
export const LONGEST = {
	/** What a record or a callback says about its state, such as `status` and `event`. */
	stateWord: 200,
	/** 15 digits, with marks and spaces between them. */
	amount: 40,
	wholeNumber: 40,
	phone: 100,
	/** More than the 254 characters of any address that can receive. */
	email: 320,
	/** The heading of a column: a whole question of a form still fits. */
	heading: 500,
	/** The name of a country or a currency; also a word of a heading. */
	name: 500,
	/** A field of a row. */
	text: 10_000,
	webAddress: 10_000,
	/** A message of the service that is compared with sentences. */
	sentence: 1000,
	/** What the service calls a payment. */
	reference: 128,
	/** A message as it is shown. */
	message: 4000,
	/** A list of the service, in entries. */
	list: 100_000,
	/** The body of a callback, in bytes. A record of the service is about a kilobyte. */
	callback: 256 * 1024,
} as const;

/** The beginning of a text, without half of a character at its end. */
export const beginningOf = (text: string, longest: number): string =>
	text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');

export const cut = (text: string, longest: number): string =>
	text.length <= longest ? text : `${beginningOf(text, longest)}…`;
