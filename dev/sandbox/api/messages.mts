/** Why a request was refused; the table below has the message for each. */
export type Failure =
	'integration' | 'client' | 'verification' | 'user' | 'serviceUser' | 'country' | 'transaction';

export type Operation =
	| 'statusV2'
	| 'statusV3'
	| 'collections'
	| 'linkCreate'
	| 'linkList'
	| 'balance'
	| 'token'
	| 'signature';

interface Row {
	operation: Operation;
	/** The message of the specification's error table, word for word. */
	line: string;
	/** In the order of the line's alternatives; a line without alternatives applies to all of them. */
	failures: readonly Failure[];
	status: 400 | 403;
	/** False where the specification shows no HTTP status: such an error is a 200 unless `errorStatus` is "http". */
	statusShown: boolean;
}

const VERIFICATION_LINE =
	'Entity integration record not found or Client id not matched or Request was not verified.';
const VERIFICATION_FAILURES = ['integration', 'client', 'verification'] as const;

const row = (
	operation: Operation,
	line: string,
	failures: readonly Failure[],
	status: 400 | 403,
	statusShown = false,
): Row => ({ operation, line, failures, status, statusShown });

const ROWS: readonly Row[] = [
	row(
		'statusV2',
		'Service user not found or Transaction was not created!',
		['serviceUser', 'transaction'],
		400,
		true,
	),
	row('statusV2', VERIFICATION_LINE, VERIFICATION_FAILURES, 403, true),
	row(
		'collections',
		'Service user not found or Country was not found or Transaction was not created!',
		['serviceUser', 'country', 'transaction'],
		400,
	),
	row('collections', VERIFICATION_LINE, VERIFICATION_FAILURES, 403),
	row('collections', 'User not found!', ['user'], 400),
	row(
		'linkCreate',
		'Payment link was not created.',
		['transaction', 'country', 'user', 'serviceUser'],
		400,
	),
	row('linkCreate', 'Entity integration record not found.', ['integration', 'client'], 403),
	row('balance', 'User not found.', ['user', 'serviceUser'], 400),
	// Two full stops, as the specification writes it.
	row('balance', `${VERIFICATION_LINE}.`, VERIFICATION_FAILURES, 403),
	row('linkList', 'User not found', ['user', 'serviceUser'], 403),

	// Not in the specification's table; the sandbox uses the nearest words of it.
	row('linkCreate', 'Payment link was not created.', ['verification'], 403),
	row(
		'statusV3',
		'Service user not found or Transaction was not created!',
		['serviceUser', 'transaction'],
		400,
	),
	row('statusV3', VERIFICATION_LINE, VERIFICATION_FAILURES, 403),
	row('statusV2', 'Service user not found', ['user'], 400, true),
	row('statusV3', 'Service user not found', ['user'], 400),
	row('token', VERIFICATION_LINE, VERIFICATION_FAILURES, 403),
	row('signature', VERIFICATION_LINE, VERIFICATION_FAILURES, 403),
];

interface Wording {
	/** Answer with the whole line of the table instead of the alternative that applies. */
	fullMessages: boolean;
	errorStatus: 'ok' | 'http';
}

interface Refusal {
	status: number;
	message: string;
}

/** The specification says "Where a message lists alternatives joined by 'or', one of them applies", so a line is split only there. */
export function refusal(operation: Operation, failure: Failure, wording: Wording): Refusal {
	const found = ROWS.find((one) => one.operation === operation && one.failures.includes(failure));
	if (found === undefined) throw new Error(`No message for ${failure} of ${operation}`);
	const alternatives = found.line.split(' or ');
	const one =
		alternatives.length === 1 ? found.line : alternatives[found.failures.indexOf(failure)];
	return {
		status: found.statusShown || wording.errorStatus === 'http' ? found.status : 200,
		message: wording.fullMessages ? found.line : (one ?? found.line),
	};
}
