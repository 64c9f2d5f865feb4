import type { State } from '../output/state';
import type { CallbackSignature } from '../protocol/callback';
import { ProtocolError } from '../protocol/settings';
import { readAllowList, type AllowList } from './endpoint/allowList';

export const VERIFICATIONS = ['confirm', 'token', 'hmac', 'none'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

export const STATES: readonly State[] = ['failed', 'other', 'pending', 'success'];

export const TYPES = ['auto', 'payin', 'payout'] as const;
export type TypeSetting = (typeof TYPES)[number];

/** The node's parameters, read and checked: an unknown value is refused, never taken for a default. */
export interface Settings {
	verification: Verification;
	states: ReadonlySet<State>;
	transactionType: TypeSetting;
	skipRepeats: boolean;
	allowList: AllowList;
	signatureHeader: string;
	signature: CallbackSignature;
}

export interface RawSettings {
	verification: unknown;
	/** Of no interest before the execution. */
	states?: unknown;
	options: unknown;
}

export const SIGNATURE_HEADER = 'X-Signature';

export function readSettings({ verification, states, options }: RawSettings): Settings {
	const given = (options ?? {}) as Record<string, unknown>;
	return {
		verification: oneOf('Verification', verification, VERIFICATIONS),
		states: readStates(states),
		transactionType: oneOf('Transaction Type', given.transactionType, TYPES),
		skipRepeats: given.skipRepeats !== false && given.skipRepeats !== 'false',
		allowList: readAllowList(text('IP Allow List', given.ipAllowList)),
		signatureHeader: headerName(text('Signature Header', given.signatureHeader)),
		signature: {
			algorithm: oneOf('Signature Algorithm', given.signatureAlgorithm, [
				'sha256',
				'sha384',
				'sha512',
			]),
			encoding: oneOf('Signature Encoding', given.signatureEncoding, ['hex', 'base64']),
		},
	};
}

function oneOf<T extends string>(label: string, given: unknown, allowed: readonly T[]): T {
	const value = given === undefined || given === '' ? allowed[0] : given;
	const found = allowed.find((each) => each === value);
	if (found === undefined) {
		throw new ProtocolError(`'${label}' must be one of ${allowed.join(', ')}`);
	}
	return found;
}

/** Nothing chosen means everything: a trigger that never fires is nobody's wish. */
function readStates(given: unknown): ReadonlySet<State> {
	const chosen = Array.isArray(given) ? given : [];
	const known = STATES.filter((state) => chosen.includes(state));
	return new Set(known.length === 0 ? STATES : known);
}

function text(label: string, given: unknown): string {
	if (given === undefined || given === null) return '';
	if (typeof given !== 'string') throw new ProtocolError(`'${label}' must be text`);
	return given;
}

function headerName(given: string): string {
	const name = given.trim() === '' ? SIGNATURE_HEADER : given.trim();
	if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
		throw new ProtocolError("'Signature Header' is not the name of an HTTP header");
	}
	return name.toLowerCase();
}

/** What the credential holds for callbacks. */
export interface Secrets {
	callbackToken: string | null;
	secretKey: string | null;
}

export function readSecrets(saved: Readonly<Record<string, unknown>>): Secrets {
	return {
		callbackToken: secret('Callback Token', saved.callbackToken),
		secretKey: secret('Secret Key', saved.secretKey),
	};
}

/** An expression may give anything; what is no text is no secret, and must not count as none. */
function secret(label: string, value: unknown): string | null {
	if (value === undefined || value === null || value === '') return null;
	if (typeof value !== 'string') throw new ProtocolError(`The credential's '${label}' is not text`);
	return value;
}

/** What keeps callbacks from being believed, in a sentence for the user; null when all is well. */
export function missingIn(settings: Settings, secrets: Secrets): string | null {
	const { verification, allowList } = settings;
	if (verification === 'token' && secrets.callbackToken === null) {
		return "'Verification' is 'Callback Token', but the credential has no 'Callback Token'";
	}
	if (verification === 'hmac' && secrets.secretKey === null) {
		return "'Verification' is 'HMAC Signature', but the credential has no 'Secret Key'";
	}
	const [unreadable] = allowList.unreadable;
	if (unreadable !== undefined) {
		return `'IP Allow List' holds "${unreadable.slice(0, 60)}", which is neither an IP address nor a network like 10.0.0.0/8`;
	}
	return null;
}
