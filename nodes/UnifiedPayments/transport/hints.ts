import { LONGEST } from '../protocol/limits';

/** Of a status that was asked for, the service says the same as of a request that it declined. */
const NOT_CREATED = /transaction was not created/i;
const OTHER_REFERENCE =
	"The service knows no payment by this reference. Enter the reference that the service gave it: 'reference' in the item of the payment. It is usually not your order reference.";

/**
 * What to do about each message of the specification's error table. Where a message lists
 * alternatives joined by "or", each alternative has its hint, so the whole line finds them too.
 */
const HINTS: ReadonlyArray<[words: RegExp, hint: string]> = [
	[
		/entity integration record not found/i,
		"The service knows no integration for these credentials. Check the credential's 'Client ID' and 'Base URL'.",
	],
	[
		/client id not matched/i,
		"The 'Client ID' of the credential does not belong to this integration. Copy it from the application.",
	],
	[
		/request was not verified/i,
		"The signature was not accepted. Check the credential's 'Secret Key', 'Sender' (it must equal the integration's title) and 'Signature Template', and this machine's clock.",
	],
	[
		/country was not found/i,
		"The service does not offer this country here. Check 'Country' and 'Currency'.",
	],
	[
		NOT_CREATED,
		'The service created no transaction. Check the amount, mobile number and payment method.',
	],
	[
		/payment link was not created/i,
		"The service did not create the link. Check 'Amount', 'Country', 'Currency' and the web addresses.",
	],
	[
		/user not found/i,
		"The service found no user for these credentials. Check the credential's 'Client ID', and that the account is active.",
	],
];

/** All hints that fit the service's message; empty when none is known. */
export function hintsFor(serviceMessage: string | null, creates: boolean): string[] {
	const message = String(serviceMessage).slice(0, LONGEST.sentence);
	return HINTS.filter(([words]) => words.test(message)).map(([words, hint]) =>
		!creates && words === NOT_CREATED ? OTHER_REFERENCE : hint,
	);
}
