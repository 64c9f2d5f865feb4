import { alternativesOf, ERROR_ROWS } from './errorTable.mts';

/** Why a request was refused. */
export type Failure =
	'integration' | 'client' | 'verification' | 'user' | 'serviceUser' | 'country' | 'transaction';

/** Where the error table has the messages of an operation. It has none for the last three. */
const ROWS_OF = {
	statusV2: 'Status v2',
	collections: 'Collections',
	linkCreate: 'Payment link create',
	linkList: 'Payment link list',
	balance: 'Balance',
	statusV3: 'Status v2',
	token: 'Status v2',
	signature: 'Status v2',
} as const;

export type Operation = keyof typeof ROWS_OF;

/** How the table says each of them. */
const SAYS: Record<Failure, RegExp> = {
	integration: /^entity integration record not found\W*$/i,
	client: /^client id not matched\W*$/i,
	verification: /^request was not verified\W*$/i,
	user: /^user not found\W*$/i,
	serviceUser: /^service user not found\W*$/i,
	country: /^country was not found\W*$/i,
	transaction: /was not created\W*$/i,
};

/** Where the table has no message of an operation for a failure, the nearest that it has. */
const NEAREST: Record<Failure, readonly Failure[]> = {
	integration: [],
	client: ['integration'],
	verification: ['transaction'],
	user: ['serviceUser', 'transaction'],
	serviceUser: ['user', 'transaction'],
	country: ['transaction'],
	transaction: [],
};

const OF_SENDER: readonly Failure[] = ['integration', 'client', 'verification'];

interface Wording {
	/** Answer with the whole line of the table instead of the alternative that applies. */
	fullMessages: boolean;
	/** For errors without a documented status: 200, or 400 and 403 as v2 has. */
	errorStatus: 'ok' | 'http';
}

interface Refusal {
	status: number;
	message: string;
}

/** What the specification's error table says to a failure. */
export function refusal(operation: Operation, failure: Failure, wording: Wording): Refusal {
	const rows = ERROR_ROWS.filter((row) => row.operation === ROWS_OF[operation]);
	for (const each of [failure, ...NEAREST[failure]]) {
		for (const { message: line, status } of rows) {
			const message = alternativesOf(line).find((part) => SAYS[each].test(part));
			if (message === undefined) continue;
			// Only v2 of the status shows them.
			const shown = operation === 'statusV2' ? status : null;
			return {
				status: shown ?? statusOf(operation, failure, wording),
				message: wording.fullMessages ? line : message,
			};
		}
	}
	throw new Error(`No message for ${failure} of ${operation}`);
}

function statusOf(operation: Operation, failure: Failure, { errorStatus }: Wording): number {
	if (errorStatus === 'ok') return 200;
	return OF_SENDER.includes(failure) || operation === 'linkList' ? 403 : 400;
}
