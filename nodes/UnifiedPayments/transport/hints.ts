import { LONGEST } from '../protocol/limits';

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
		/transaction was not created/i,
		'The service created no transaction for this reference or request. Check the reference, amount, mobile number and payment method.',
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
export const hintsFor = (serviceMessage: string | null): string[] =>
	HINTS.filter(([words]) => words.test(serviceMessage?.slice(0, LONGEST.sentence) ?? '')).map(
		([, hint]) => hint,
	);
