import type { Credential } from '../protocol/credential';
import { readTold } from '../payment/callback';
import { NO_MARK, ownMark } from '../payment/mark';
import { NO_ORDER, orderOf } from '../payment/order';
import { readRecord } from '../payment/record';
import { isFinal } from '../payment/state';
import { whose, type FoundBy } from '../payment/whose';
import type { Json } from '../protocol/parse';
import type { CallOptions, Client } from '../transport/client';
import { createLimiter } from '../transport/limiter';
import { askForRecord } from '../transport/status';
import type { AwaitedPayment, PaymentStatus } from './awaited';

/** Waits in milliseconds; tests shorten them. */
export const PAUSES = {
	/** Between the first looks at payments that were only just asked for. */
	afterCreate: [300, 700, 1_500, 2_500] as readonly number[],
	/** A service may be a little behind its own callbacks. */
	behindCallback: 700,
};

/** How to ask about a payment, and how to read the answer. */
export interface StatusLookup {
	client: Pick<Client, 'query'>;
	account: Credential;
	options: CallOptions;
}

/** A name by which the service may know a payment, by who says so. */
interface Name {
	id: string;
	askedBy: Exclude<FoundBy, 'list'>;
}

/** Without a callback, these are the names to ask by. A service may call it by what we gave. */
const namesOf = ({ kind, reference, orderReference }: AwaitedPayment): Name[] => [
	...(reference === null ? [] : [{ id: reference, askedBy: 'reference' as const }]),
	...(kind === 'link' || orderReference === null
		? []
		: [{ id: orderReference, askedBy: 'order' as const }]),
];

const namesIn = (callback: Json, account: Credential): Name[] => {
	const { reference } = readTold(callback, account);
	return reference === null ? [] : [{ id: reference, askedBy: 'callback' }];
};

/** What an earlier run sent is its own result: a workflow that ships what is paid would ship it twice. */
export const canBeAsked = (payment: AwaitedPayment): boolean =>
	!payment.sentEarlier && namesOf(payment).length > 0;

/** `unknown`: the service has nothing by that name. Null: what it has is not certainly this payment. */
type Answer = PaymentStatus | 'unknown' | null;

/**
 * Asks the service about a payment; null when it knows none that is certainly this one. Of a
 * callback, only the names in it are used, to ask by: whether it is about this payment, and how it
 * ended, is for the service's own record to say.
 */
export async function lookUp(
	payment: AwaitedPayment,
	lookup: StatusLookup,
	callback: Json = {},
): Promise<PaymentStatus | null> {
	let best: PaymentStatus | null = null;
	let failure: { error: unknown } | undefined;
	let asked = payment;
	const names = new Map<string, Name>();
	for (const name of [...namesOf(payment), ...namesIn(callback, lookup.account)]) {
		// A service may call it by our order: to find it by that proves more if the service says so.
		const question = JSON.stringify([name.id, name.askedBy === 'order']);
		if (!names.has(question)) names.set(question, name);
	}
	for (const name of names.values()) {
		const answer = await lookUpBy(name, asked, lookup).catch((error: unknown) => {
			failure ??= { error };
			return null;
		});
		// A reply may name the request and not the payment: what the service does not know proves nothing.
		if (answer === 'unknown' && name.askedBy === 'reference')
			asked = { ...payment, reference: null };
		const status = answer === 'unknown' ? null : answer;
		if (status !== null) best = status.isFinal ? status : (best ?? status);
		if (best?.isFinal) return best;
	}
	// A question that failed may have been about a final payment.
	if (failure !== undefined) throw failure.error;
	return best;
}

async function lookUpBy(
	{ id, askedBy }: Name,
	payment: AwaitedPayment,
	{ client, account, options }: StatusLookup,
): Promise<Answer> {
	const raw = await askForRecord(client, id, 'payin', options);
	if (raw === null) return 'unknown';
	const record = readRecord(raw, account);
	const verdict = whose(record, payment, askedBy);
	if (verdict.is !== 'mine') return null;
	// It is this payment, so what was asked for is in our own mark.
	const order = orderOf({ ...record, mark: NO_MARK }, ownMark(payment.mark));
	return {
		record: raw,
		state: record.state,
		word: record.status,
		// A link whose try failed may be paid at the next one, which is a transaction of its own.
		isFinal: payment.kind === 'link' ? record.state === 'success' : isFinal(record.state),
		reference: record.reference ?? (askedBy === 'order' ? null : id),
		order: order.is === 'order' ? order.order : NO_ORDER,
		by: verdict.by,
		canBeAskedAgain: askedBy !== 'callback',
		size: JSON.stringify(raw).length,
	};
}

/** One record is one payment: which payment of an execution has which record. */
export class RecordOwners {
	private readonly owners = new Map<string, string>();

	/** What replies and the list have named belongs to nobody else. */
	constructor(payments: Iterable<AwaitedPayment>) {
		const twice = new Set<string>();
		for (const { reference, mark } of payments) {
			if (reference === null) continue;
			if (this.owners.has(reference)) twice.add(reference);
			this.owners.set(reference, mark);
		}
		for (const reference of twice) this.owners.delete(reference);
	}

	/** False when the record is that of another payment. */
	claim({ reference }: PaymentStatus, { mark }: AwaitedPayment): boolean {
		if (reference === null) return true;
		const owner = this.owners.get(reference) ?? mark;
		this.owners.set(reference, owner);
		return owner === mark;
	}
}

/** When a service knows nothing about any of them so often, it does not know them by these names. */
const MAX_IN_VAIN = 2;
/**
 * More payments than these are looked at once only, in their order: while they are looked at again
 * and again, callbacks are turned away, since the execution does not sleep yet.
 */
const FEW = 50;
/** For the same reason no look begins later than this. */
const LOOK_MS = 20_000;

const STRONGEST_FIRST: ReadonlyArray<PaymentStatus['by']> = [
	'mark',
	'reference',
	'order',
	'callback',
];

interface FirstLooks {
	lanes: number;
	/** Each is a wait before all that are still open are looked at once more. */
	pauses: readonly number[];
	/** Ends early when the execution is cancelled. */
	sleep(ms: number): Promise<void>;
	cancelled(): boolean;
	warn(line: string): void;
}

/**
 * Looks at payments before the execution goes to sleep: some end within seconds, and a callback
 * that comes before n8n has stored the execution is turned away. Gives what is known, by payment.
 */
export async function lookUpFirst(
	payments: ReadonlyMap<string, AwaitedPayment>,
	lookup: StatusLookup,
	{ lanes, pauses, sleep, cancelled, warn }: FirstLooks,
): Promise<Map<string, PaymentStatus>> {
	const found = new Map<string, PaymentStatus>();
	const owners = new RecordOwners(payments.values());
	const limit = createLimiter(lanes);
	const end = Date.now() + LOOK_MS;
	const look = async (payment: AwaitedPayment) => ({
		payment,
		status: await limit(async () =>
			cancelled() || Date.now() > end ? null : await lookUp(payment, lookup),
		).catch((error: Error) => {
			warn(`A payment could not be looked up before waiting for it: ${error.message}`);
			return undefined;
		}),
	});
	let inVain = 0;
	for (const pause of payments.size > FEW ? [0] : [0, ...pauses]) {
		const open = [...payments.values()].filter(
			(payment) => canBeAsked(payment) && found.get(payment.mark)?.isFinal !== true,
		);
		if (open.length === 0 || inVain === MAX_IN_VAIN) break;
		if (pause > 0) await sleep(pause);
		if (cancelled()) break;
		const seen = await Promise.all(open.map(look));
		for (const by of STRONGEST_FIRST) {
			for (const { payment, status } of seen) {
				if (status?.by === by && owners.claim(status, payment)) found.set(payment.mark, status);
			}
		}
		inVain = seen.every(({ status }) => status === null) ? inVain + 1 : 0;
	}
	return found;
}
