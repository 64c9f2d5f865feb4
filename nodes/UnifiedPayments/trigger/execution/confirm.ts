import { stateOf, type State } from '../../output/state';
import { ENDPOINTS } from '../../protocol/endpoints';
import { isRecord, type Json } from '../../protocol/parse';
import type { CallOptions, Client } from '../../transport/client';
import { CallError, withoutData } from '../../transport/errors';
import type { Failure } from '../../transport/verdict';
import { compare } from './compare';
import { findCandidates, isAbout, likelyType, readReference, type Candidate } from './references';
import { reject, type Rejection } from './rejection';
import type { TypeSetting } from '../settings';

const NAME = 'the transaction status';
const CALL: CallOptions = { timeoutSeconds: 30, maxRetries: 3 };

/** The transaction that the callback is about, with the record to believe. */
export interface Believed {
	rejected: false;
	reference: string;
	record: Json;
}

interface Confirmation {
	client: Pick<Client, 'query'>;
	transactionType: TypeSetting;
	/** True when the sender has proven to know a secret. */
	trusted: boolean;
	/** Waits before the service is asked once more, when it may only lag behind its own callback. */
	pauses: readonly number[];
	sleep(ms: number): Promise<void>;
}

/** Asks the service itself. Of the callback nothing is believed but that it may be worth asking. */
export async function confirm(body: Json, how: Confirmation): Promise<Believed | Rejection> {
	const candidates = findCandidates(body);
	if (candidates.length === 0) {
		return reject(
			'no_reference',
			'The callback names no transaction: no reference was found in it',
		);
	}
	let answer = await lookUp(candidates, how);
	for (const pause of how.pauses) {
		if (!answer.rejected || !answer.mayPass) break;
		await how.sleep(pause);
		answer = await lookUp(candidates, how);
	}
	return answer;
}

async function lookUp(
	candidates: readonly Candidate[],
	how: Confirmation,
): Promise<Believed | Rejection> {
	for (const candidate of candidates) {
		for (const type of typesFor(candidate, how.transactionType)) {
			const record = await ask(how.client, candidate.reference, type);
			if (record) return checkRecord(candidate, record);
		}
	}
	const { reference } = candidates[0]!;
	const message = `The service knows no transaction "${reference}"`;
	// A service may call back a moment too early. But strangers can make up any number of references,
	// so only a sender who knows a secret gets a second look.
	return reject('not_found', message, reference, how.trusted);
}

function typesFor(candidate: Candidate, setting: TypeSetting): Array<'payin' | 'payout'> {
	if (setting !== 'auto') return [setting];
	return likelyType(candidate) === 'payin' ? ['payin', 'payout'] : ['payout', 'payin'];
}

/** Null when the service has no such transaction; whatever else goes wrong is thrown. */
async function ask(client: Confirmation['client'], id: string, type: string): Promise<Json | null> {
	const reply = await client
		.query(ENDPOINTS.statusV3, { id, type }, CALL, NAME)
		.catch(nullWhenUnknown);
	if (reply === null || isEmpty(reply.data)) return null;
	if (isRecord(reply.data)) return reply.data;
	throw withoutData(reply, NAME);
}

/** The service may say yes and send no record: then it knows no more than if it had said no. */
const isEmpty = (data: unknown): boolean =>
	data === undefined ||
	data === null ||
	(typeof data === 'object' && Object.keys(data).length === 0);

function nullWhenUnknown(error: unknown): null {
	if (error instanceof CallError && saysUnknown(error.failure)) return null;
	throw error;
}

/** Words about us, not about the transaction: then nothing is known, and the execution must fail. */
const ABOUT_US = /integration record|client id|not verified/i;
const UNKNOWN =
	/\b(?:transaction|reference|record|payment)\b.*\b(?:not (?:found|created|exist)|unknown|invalid)|\b(?:no such|no|unknown|invalid) (?:transaction|reference|record|payment)\b|does(?: not|n't) exist/i;

/** Where the specification shows one line for several causes, one about the transaction decides. */
function saysUnknown({ kind, status, serviceMessage }: Failure): boolean {
	if (kind !== 'refused') return false;
	const words = serviceMessage ?? '';
	if (ABOUT_US.test(words)) return false;
	return status === 404 || UNKNOWN.test(words);
}

const FINAL: readonly State[] = ['success', 'failed'];
export const isFinal = (state: State): boolean => FINAL.includes(state);

function checkRecord(candidate: Candidate, record: Json): Believed | Rejection {
	const { reference, path } = candidate;
	if (!isAbout(record, reference)) {
		return reject(
			'reference_mismatch',
			`Asked about "${reference}", the service told about another transaction`,
			reference,
		);
	}
	const mismatch = compare(path, record, reference);
	if (mismatch) return mismatch;
	const [claimed, actual] = [stateOf(candidate.record), stateOf(record)];
	if (isFinal(claimed) && claimed !== actual) {
		const message = `The callback says ${claimed}, the service says ${actual}`;
		return reject('state_not_confirmed', message, reference, !isFinal(actual));
	}
	return { rejected: false, reference: readReference(record.ref) ?? reference, record };
}

/** Without a question to the service: the record is what the callback says it is. */
export function fromPayload(body: Json): Believed | Rejection {
	const [candidate] = findCandidates(body);
	if (candidate === undefined) {
		return reject(
			'no_reference',
			'The callback names no transaction: no reference was found in it',
		);
	}
	const { reference, record } = candidate;
	return { rejected: false, reference, record };
}
