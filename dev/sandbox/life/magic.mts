import type { FailureReason } from '../model.mts';

/**
 * Values that steer a transaction. The same six digits work as the whole amount and as the end of
 * the mobile number. They are long so that a sheet with ascending amounts or numbers does not hit
 * one by chance.
 */
export interface Script {
	/** Null: stays pending until settled by hand. */
	outcome: 'success' | 'failed' | null;
	failure: FailureReason | null;
	/** Times the usual delay; 0 = at once. */
	settle: number;
	lateReply: boolean;
	callbacks: 'once' | 'twice' | 'outOfOrder' | 'never' | 'beforeReply';
}

interface MagicValue extends Script {
	code: string;
	meaning: string;
}

const USUAL: Script = {
	outcome: 'success',
	failure: null,
	settle: 1,
	lateReply: false,
	callbacks: 'once',
};

const magic = (code: string, meaning: string, script: Partial<Script>): MagicValue => ({
	...USUAL,
	...script,
	code,
	meaning,
});

const fails = (code: string, failureCode: string, failureMessage: string): MagicValue =>
	magic(code, `fails: ${failureMessage}`, {
		outcome: 'failed',
		failure: { failureCode, failureMessage },
	});

export const MAGIC_VALUES: readonly MagicValue[] = [
	magic('990200', 'succeeds at once', { settle: 0 }),
	fails('990401', 'INSUFFICIENT_FUNDS', 'The customer has insufficient funds'),
	fails('990402', 'WRONG_PIN', 'The customer entered a wrong PIN'),
	fails('990403', 'USER_CANCELLED', 'The customer cancelled the payment'),
	fails('990404', 'TIMEOUT', 'The customer did not answer in time'),
	fails('990405', 'LIMIT_EXCEEDED', 'The amount exceeds the limit of the wallet'),
	fails('990406', 'UNKNOWN_SUBSCRIBER', 'The mobile number has no wallet'),
	fails('990407', 'OPERATOR_UNAVAILABLE', 'The operator is not available'),
	magic('990100', 'stays pending', { outcome: null }),
	magic('990101', 'answers late: the reply to the create is delayed', { lateReply: true }),
	magic('990102', 'settles late: after ten times the usual delay', { settle: 10 }),
	magic('990301', 'succeeds and calls back twice', { callbacks: 'twice' }),
	magic('990302', 'succeeds and calls back out of order: success, then a late pending', {
		callbacks: 'outOfOrder',
	}),
	magic('990303', 'succeeds and never calls back', { callbacks: 'never' }),
	magic('990304', 'succeeds and calls back before the reply to the create', {
		settle: 0,
		callbacks: 'beforeReply',
	}),
];

/** The amount counts before the mobile number. */
export function scriptFor(amount: number, mobile: string): Script {
	const digits = mobile.replace(/\D/g, '');
	return (
		MAGIC_VALUES.find(({ code }) => Number(code) === amount) ??
		MAGIC_VALUES.find(({ code }) => digits.endsWith(code)) ??
		USUAL
	);
}

/** Reasons that can be asked for by code when a transaction is settled by hand. */
export function failureFor(code: string | undefined): FailureReason {
	const known = MAGIC_VALUES.find(({ failure }) => failure?.failureCode === code)?.failure;
	return (
		known ?? {
			failureCode: code ?? 'DECLINED',
			failureMessage: 'The payment was declined',
		}
	);
}
