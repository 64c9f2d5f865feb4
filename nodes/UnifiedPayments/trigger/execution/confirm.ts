import { showGiven } from '../../fields/inputError';
import { contradictionBetween, type Contradiction } from '../../payment/compare';
import { isFinal, readState, type StateReading } from '../../payment/state';
import type { ExtraStatuses } from '../../protocol/credential';
import type { Json } from '../../protocol/parse';
import { isPlaceholder } from '../../protocol/reply';
import {
	findCandidates,
	isAbout,
	likelyType,
	readReference,
	seemingType,
	type Candidate,
	type TransactionType,
} from '../../payment/references';
import type { CallOptions, Client } from '../../transport/client';
import { askForRecord } from '../../transport/status';
import type { TypeSetting } from '../settings';
import { reject, type Rejection, type RejectionReason } from './rejection';

const CALL: CallOptions = { timeoutSeconds: 30 };
const ONCE: CallOptions = { ...CALL, maxRetries: 0 };

/** The transaction that the callback is about, with the record to believe. */
export interface Believed {
	rejected: false;
	reference: string;
	type: TransactionType;
	record: Json;
	/** What the callback itself states about it, which may be less true. */
	told: readonly Json[];
	said: StateReading;
}

/** How callbacks are read, whoever is asked. */
interface Reading {
	transactionType: TypeSetting;
	statuses: ExtraStatuses;
}

/**
 * Waits before the service is asked again, when it may only lag behind its own callback. Only for
 * what came from the service: strangers can make up any number of references.
 */
export const PATIENCE: readonly number[] = [1_000, 3_000, 6_000, 10_000, 20_000, 25_000];

interface Confirmation extends Reading {
	client: Pick<Client, 'query'>;
	isFromService: boolean;
	patience: readonly number[];
	sleep(ms: number): Promise<void>;
}

/** Asks the service itself. Of the callback nothing is believed but that it may be worth asking. */
export async function confirm(body: Json, how: Confirmation): Promise<Believed | Rejection> {
	const candidates = findCandidates(body);
	if (candidates.length === 0) return withoutReference();
	const call = how.isFromService ? CALL : ONCE;
	let answer = await lookUp(candidates, how, call);
	for (const pause of how.isFromService ? how.patience : []) {
		if (!answer.rejected || !answer.mayBecomeTrue) break;
		await how.sleep(pause);
		answer = await lookUp(candidates, how, call);
	}
	return answer;
}

const withoutReference = (): Rejection =>
	reject('no_reference', 'The callback names no transaction: no reference was found in it');

async function lookUp(
	candidates: readonly Candidate[],
	how: Confirmation,
	call: CallOptions,
): Promise<Believed | Rejection> {
	for (const candidate of candidates) {
		for (const type of typesFor(candidate, how.transactionType)) {
			const record = await askForRecord(how.client, candidate.reference, type, call);
			if (record) return checkRecord(candidate, record, type, how);
		}
	}
	const { reference } = candidates[0]!;
	const kind = how.transactionType === 'auto' ? 'transaction' : how.transactionType;
	const message = `The service knows no ${kind} "${reference}". It may still become true: a service can call back before its own records say so`;
	return reject('not_found', message, reference, true);
}

function typesFor(candidate: Candidate, setting: TypeSetting): TransactionType[] {
	if (setting !== 'auto') return [setting];
	return likelyType(candidate) === 'payin' ? ['payin', 'payout'] : ['payout', 'payin'];
}

function checkRecord(
	candidate: Candidate,
	record: Json,
	asked: TransactionType,
	{ transactionType, statuses }: Reading,
): Believed | Rejection {
	const { reference, path } = candidate;
	if (!isAbout(record, candidate)) {
		return reject(
			'reference_mismatch',
			`Asked about "${reference}", the service told about another transaction`,
			reference,
		);
	}
	const contradiction = contradictionBetween(statedIn(candidate), withoutPlaceholders(record));
	if (contradiction) return mismatchOf(contradiction, reference);
	const type = seemingType({ path: [record], record }) ?? asked;
	const said = readState([record], statuses);
	const claimed = readState(path, statuses).state;
	if (isFinal(claimed) && claimed !== said.state) {
		const mayBecomeTrue = !isFinal(said.state);
		const later = mayBecomeTrue ? '. It may still become true' : '';
		const message = `The callback says ${claimed}, the service says ${said.state}${later}`;
		return reject('state_not_confirmed', message, reference, mayBecomeTrue);
	}
	return ofType(transactionType, {
		rejected: false,
		reference: readReference(record.ref) ?? reference,
		type,
		record,
		told: path,
		said,
	});
}

const OWN_NAMES = ['third_party_reference_1', 'third_party_reference_2'] as const;

const withoutPlaceholders = (each: Json): Json => {
	const empty = OWN_NAMES.filter((name) => isPlaceholder(each[name]));
	return { ...each, ...Object.fromEntries(empty.map((name) => [name, undefined])) };
};

/** What the callback says of the transaction. Above the object that names it, `ref` may be an event's own. */
const statedIn = ({ path, record }: Candidate): Json[] =>
	path.map((each) => ({
		...withoutPlaceholders(each),
		...(each === record ? {} : { ref: undefined }),
	}));

const MISMATCHES: Readonly<Record<Contradiction['field'], RejectionReason>> = {
	ref: 'reference_mismatch',
	third_party_reference_1: 'reference_mismatch',
	third_party_reference_2: 'reference_mismatch',
	amount: 'amount_mismatch',
	currency: 'currency_mismatch',
};

function mismatchOf({ field, stated, actual }: Contradiction, reference: string): Rejection {
	const message = `The callback states ${showGiven(stated)} as ${field}, the service ${showGiven(actual)}`;
	return reject(MISMATCHES[field], message, reference);
}

/** By default only money that came in is believed to be that. */
function ofType(setting: TypeSetting, believed: Believed): Believed | Rejection {
	const { type, reference } = believed;
	if (setting === 'auto' || setting === type) return believed;
	const message = `The callback is about a ${type}, and the trigger is set to ${setting}s`;
	return reject('wrong_type', message, reference);
}

/** Without a question to the service: the record is what the callback says it is. */
export function fromPayload(
	body: Json,
	{ transactionType, statuses }: Reading,
): Believed | Rejection {
	const [candidate] = findCandidates(body);
	if (candidate === undefined) return withoutReference();
	const { reference, record, path } = candidate;
	return ofType(transactionType, {
		rejected: false,
		reference,
		type: likelyType(candidate),
		record,
		told: path,
		said: readState(path, statuses),
	});
}
