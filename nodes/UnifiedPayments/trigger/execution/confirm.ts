import { showGiven } from '../../fields/inputError';
import { readTold, type Told } from '../../payment/callback';
import { isStated, sameReference } from '../../payment/compare';
import { readRecord, type Reader, type Record } from '../../payment/record';
import { isFinal } from '../../payment/state';
import type { Json } from '../../protocol/parse';
import type { CallOptions, Client } from '../../transport/client';
import { askForRecord } from '../../transport/status';
import type { TransactionType } from '../settings';
import { reject, type Rejection, type RejectionReason } from './rejection';

const CALL: CallOptions = { timeoutSeconds: 30 };
const ONCE: CallOptions = { ...CALL, maxRetries: 0 };

/** The transaction that the callback is about, with the record to believe. */
export interface Believed {
	rejected: false;
	reference: string;
	type: TransactionType;
	record: Record;
}

/** How callbacks are read, whoever is asked. */
interface Reading {
	transactionType: TransactionType;
	account: Reader;
}

/**
 * Waits before the service is asked again, when it may only lag behind its own callback. Only for
 * what came from the service: strangers can make up any number of references.
 */
export const PATIENCE: readonly number[] = [1_000, 3_000, 6_000, 10_000, 20_000, 25_000];

interface Confirmation extends Reading {
	client: Pick<Client, 'query'>;
	isFromService: boolean;
	/** What the mark of the address says; null without a valid one. */
	orderReference: string | null;
	patience: readonly number[];
	sleep(ms: number): Promise<void>;
}

/** Asks the service itself. Of the callback nothing is believed but that it may be worth asking. */
export async function confirm(body: Json, how: Confirmation): Promise<Believed | Rejection> {
	const told = readTold(body, how.account);
	const name = told.reference ?? told.record.orderReference;
	if (name === null) return withoutReference();
	let answer = await lookUp(name, told, how);
	for (const pause of how.isFromService ? how.patience : []) {
		if (!answer.rejected || !answer.mayBecomeTrue) break;
		await how.sleep(pause);
		answer = await lookUp(name, told, how);
	}
	return answer;
}

const withoutReference = (): Rejection =>
	reject('no_reference', 'The callback names no transaction: no reference was found in it');

async function lookUp(name: string, told: Told, how: Confirmation): Promise<Believed | Rejection> {
	const { transactionType: type, account } = how;
	const raw = await askForRecord(how.client, name, type, how.isFromService ? CALL : ONCE);
	const record = raw === null ? null : readRecord(raw, account);
	// Our order may by chance be what the service calls another payment.
	const isByChance =
		told.reference === null && record?.orderReference === null && record.reference === name;
	if (record !== null && !isByChance) {
		return checkRecord(
			withoutOrder(told, [how.orderReference, record.orderReference]),
			record,
			name,
			type,
		);
	}
	const message = `The service knows no ${type} "${name}". It may still become true: a service can call back before its own records say so`;
	return reject('not_found', message, name, true);
}

/** A service may call back by our name for the payment: that names no transaction, so contradicts none. */
function withoutOrder(told: Told, own: ReadonlyArray<string | null>): Told {
	const { reference } = told;
	const isOrder = own.some(
		(order) => order !== null && reference !== null && sameReference(order, reference),
	);
	return isOrder ? { ...told, reference: null } : told;
}

function checkRecord(
	told: Told,
	record: Record,
	name: string,
	type: TransactionType,
): Believed | Rejection {
	const reference = record.reference ?? told.reference ?? name;
	const mismatch = mismatchOf(told, record);
	if (mismatch !== null) {
		const [reason, stated, actual] = mismatch;
		const message = `The callback states ${showGiven(stated)}, the service ${showGiven(actual)}`;
		return reject(reason, message, reference);
	}
	const { state: claimed } = told.record;
	if (isFinal(claimed) && claimed !== record.state) {
		const mayBecomeTrue = !isFinal(record.state);
		const later = mayBecomeTrue ? '. It may still become true' : '';
		const message = `The callback says ${claimed}, the service says ${record.state}${later}`;
		return reject('state_not_confirmed', message, reference, mayBecomeTrue);
	}
	return ofType({ rejected: false, reference, type, record });
}

type Mismatch = [RejectionReason, stated: unknown, actual: unknown];

/** What the callback states and the service's record states otherwise. */
function mismatchOf({ reference, record: told }: Told, record: Record): Mismatch | null {
	const isOther = <T>(stated: T | null, actual: T | null, isSame: (a: T, b: T) => boolean) =>
		stated !== null && actual !== null && !isSame(stated, actual);
	const same = <T>(a: T, b: T) => a === b;
	const compared: Array<[boolean, ...Mismatch]> = [
		[isOther(reference, record.reference, same), 'reference_mismatch', reference, record.reference],
		[
			isOther(told.orderReference, record.orderReference, sameReference),
			'reference_mismatch',
			told.orderReference,
			record.orderReference,
		],
		[isOther(told.amount, record.amount, same), 'amount_mismatch', told.amount, record.amount],
		[
			isOther(told.currency, record.currency, same),
			'currency_mismatch',
			told.currency,
			record.currency,
		],
	];
	const found = compared.find(([differs]) => differs);
	return found ? [found[1], found[2], found[3]] : null;
}

/** Payees and invoice numbers are for payouts, as the specification says. */
function ofType(believed: Believed): Believed | Rejection {
	const { type, reference, record } = believed;
	const isPayout = [record.raw.payee, record.raw.invoice_no].some(isStated);
	if (type === 'payout' || !isPayout) return believed;
	const message = 'The callback is about a payout, and the trigger is set to payins';
	return reject('wrong_type', message, reference);
}

/** Without a question to the service: the record is what the callback says it is. */
export function fromPayload(
	body: Json,
	{ transactionType, account }: Reading,
): Believed | Rejection {
	const { reference, record } = readTold(body, account);
	const name = reference ?? record.orderReference;
	if (name === null) return withoutReference();
	return ofType({ rejected: false, reference: name, type: transactionType, record });
}
