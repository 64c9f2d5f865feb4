import type { State } from '../payment/state';
import { HEADER_NAME } from '../protocol/credential';
import { SetupError } from '../protocol/explainedError';
import { readBoolean } from '../protocol/parse';
import {
	SIGNATURE_ALGORITHMS,
	SIGNATURE_ENCODINGS,
	type SignatureFormat,
} from '../protocol/signing';
import { readAllowList, type AllowList } from './endpoint/allowList';

export const VERIFICATIONS = ['confirm', 'address', 'hmac', 'none'] as const;
type Verification = (typeof VERIFICATIONS)[number];

export const STATES: readonly State[] = ['failed', 'pending', 'success'];

/** The first is the default. */
export const TYPES = ['payin', 'payout'] as const;
export type TransactionType = (typeof TYPES)[number];

/** The node's parameters, read and checked: an unknown value is refused, never taken for a default. */
export interface Settings {
	verification: Verification;
	states: ReadonlySet<State>;
	transactionType: TransactionType;
	skipRepeats: boolean;
	/** Only when the option was added: without it, items are as they have always been. */
	simplify: boolean;
	allowList: AllowList;
	signatureHeader: string;
	signature: SignatureFormat;
	/** Null when the signature has no time in it. */
	timestamp: { header: string; toleranceSeconds: number } | null;
}

interface RawSettings {
	verification: unknown;
	/** Of no interest before the execution. */
	states?: unknown;
	options: unknown;
}

export const SIGNATURE_HEADER = 'X-Signature';
export const TOLERANCE_SECONDS = 300;

export function readSettings({ verification, states, options }: RawSettings): Settings {
	const given = (options ?? {}) as Record<string, unknown>;
	return {
		verification: oneOf('Verification', verification, VERIFICATIONS),
		states: readStates(states),
		transactionType: oneOf('Transaction Type', given.transactionType, TYPES),
		skipRepeats: readBoolean(given.skipRepeats) ?? true,
		simplify: readBoolean(given.simplify) ?? false,
		allowList: readAllowList(text('IP Allow List', given.ipAllowList)),
		signatureHeader:
			headerName('Signature Header', given.signatureHeader) ?? SIGNATURE_HEADER.toLowerCase(),
		timestamp: readTimestamp(given),
		signature: {
			algorithm: oneOf('Signature Algorithm', given.signatureAlgorithm, SIGNATURE_ALGORITHMS),
			encoding: oneOf('Signature Encoding', given.signatureEncoding, SIGNATURE_ENCODINGS),
		},
	};
}

function oneOf<T extends string>(label: string, given: unknown, allowed: readonly T[]): T {
	const value = given === undefined || given === '' ? allowed[0] : given;
	const found = allowed.find((each) => each === value);
	if (found === undefined) {
		throw new SetupError(`'${label}' must be one of ${allowed.join(', ')}`);
	}
	return found;
}

/** Nothing chosen means everything: nobody wants a trigger that never fires. */
function readStates(given: unknown): ReadonlySet<State> {
	const chosen = Array.isArray(given) ? given : [];
	const known = STATES.filter((state) => chosen.includes(state));
	return new Set(known.length === 0 ? STATES : known);
}

function text(label: string, given: unknown): string {
	if (given === undefined || given === null) return '';
	if (typeof given !== 'string') throw new SetupError(`'${label}' must be text`);
	return given;
}

/** Null when it is empty. */
function headerName(label: string, given: unknown): string | null {
	const name = text(label, given).trim();
	if (name !== '' && !HEADER_NAME.test(name)) {
		throw new SetupError(`'${label}' is not the name of an HTTP header`);
	}
	return name === '' ? null : name.toLowerCase();
}

function readTimestamp(given: Record<string, unknown>): Settings['timestamp'] {
	const header = headerName('Timestamp Header', given.timestampHeader);
	const toleranceSeconds = Number(given.toleranceSeconds ?? TOLERANCE_SECONDS);
	if (!(toleranceSeconds > 0)) throw new SetupError("'Tolerance (Seconds)' must be more than 0");
	return header === null ? null : { header, toleranceSeconds };
}

/** What keeps callbacks from being believed, in a sentence for the user; null when all is well. */
export function missingIn({ allowList }: Settings): string | null {
	const [invalid] = allowList.invalid;
	return invalid === undefined
		? null
		: `'IP Allow List' holds "${invalid.slice(0, 60)}", which is neither an IP address nor a network like 10.0.0.0/8`;
}
