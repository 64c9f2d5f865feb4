/**
 * Everything that somebody is told to do about a row, a request or the credential. Each has a name, and a
 * test that follows it. `{own}` is what would make a row a payment of its own.
 */
export const ADVICE = {
	lookUpFirst: 'Look it up in the service first: it may have been processed already.',
	lookUp:
		"Look it up in the service, e.g. in its list of payment links or with 'Get' of 'Transaction': it may have been processed.",
	sendUnanswered:
		"If it is not there, set 'On Duplicate' to 'Send Unanswered', and run only rows that you did not find.",
	keyForOneNotFound:
		"If it is not there, give this row, and no other, a 'Duplicate Key' of its own: it is then sent as a new payment.",
	waitForOtherRun: 'Wait for half an hour, and look at the result of that run.',
	chargeAgain:
		'To charge once more on purpose, e.g. every month, give this payment {own}, e.g. with the month.',
	chargeEveryMonth:
		"For a charge that repeats, e.g. every month, give each one an order reference of its own, e.g. with the month, or a 'Duplicate Key' if you use it.",
	anotherPayment: 'If this is another payment, give it {own}.',
	anotherRow:
		'If this row is another payment, give it {own}. If it corrects the first one, tell the customer which of them to pay, and give this row {own} as well.',
	oneOfTwo: 'If these are two payments, give one of them {own}.',
	removeRepeat: "Remove one of them, or set 'On Duplicate' to 'Skip'.",
	oneOrSeveral:
		'If they are, remove all but one. If they are several, give all but the oldest {own}.',
	linkByMark:
		"Turn on 'Order in Callback URL' in the credential. For this payment, which was sent already, take the link from the service, or give it {own}.",
	shorterAddress: 'For later rows, give a shorter address',
	ordinaryReference: 'For later orders, give references of at most 128 ordinary characters',
	checkAgain:
		"Run 'Check' again with these rows, with the same settings as here, and have the new fingerprint approved.",
	maxTotal:
		"If they are right, raise 'Max Total' in the options; if not, correct or remove some of them.",
	maxAmount: "If the amount is right, raise 'Max Amount' in the options; if not, correct it.",
	database: "Check n8n's database, and that the workflow is saved.",
	parameters: 'Check the parameters of the node.',
	newHost:
		'If the service has moved to another host, run only rows that were not accepted: those that were are not known there.',
	blockedByHost:
		"Check the credential's 'Base URL'; if it is right, whoever runs n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES",
	unreachable: "Check the credential's 'Base URL', and that this machine can reach it",
	slower: "Lower 'Concurrency' or set 'Requests per Second' in the options.",
	redirected: "Check the credential's 'Base URL' (https or http, spelling).",
	baseUrl: "Check the credential's 'Base URL'.",
	correctFirst: 'Correct it first, if something in it was wrong.',
	runLater: 'Run it again later.',
	values: 'Check the values that were sent.',
	account: "Check the credential's 'Client ID', 'Sender' and 'Secret Key'.",
	unknownIntegration:
		"The service knows no integration for these credentials. Check the credential's 'Client ID' and 'Base URL'.",
	otherClient:
		"The 'Client ID' of the credential does not belong to this integration. Copy it from the application.",
	notVerified:
		"The signature was not accepted. Check the credential's 'Secret Key', 'Sender' (it must equal the integration's title) and 'Signature Template', and this machine's clock.",
	countryNotOffered:
		"The service does not offer this country here. Check 'Country' and 'Currency'.",
	noTransaction:
		'The service created no transaction. Check the amount, mobile number and payment method.',
	noLink:
		"The service did not create the link. Check 'Amount', 'Country', 'Currency' and the web addresses.",
	noUser:
		"The service found no user for these credentials. Check the credential's 'Client ID', and that the account is active.",
	otherReference:
		"The service knows no payment by this reference. Enter the reference that the service gave it: 'reference' in the item of the payment. It is usually not your order reference.",
	askLater:
		"It may still become final. Ask for it later with 'Get' of 'Transaction', wait longer, or set 'On Timeout' to 'Continue'.",
	plainCredential: 'Choose a credential without expressions.',
	sameCredential: 'Choose the credential here that the node has which created them.',
	computedHere:
		"Set the credential's 'Signature Source' to 'Computed Here' to use it in other nodes.",
	wholeAddress: 'Give a whole address, e.g. https://payments.example.com.',
	credential: 'Open the credential and correct it.',
} as const;

export type Advice = keyof typeof ADVICE;

export const adviceWith = (id: Advice, own: string): string =>
	ADVICE[id].replaceAll('{own}', () => own);
