import { readReference } from '../../payment/references';
import { sharedNames, sharedOrders, whoseRecord, type AskedPayment } from '../../payment/whose';
import { accountOf } from '../../protocol/credential';
import type { Json } from '../../protocol/parse';
import { createLimiter, within } from '../../transport/limiter';
import { askForRecord } from '../../transport/status';
import { itemIn, type RowResult } from '../row';
import {
	isOpen,
	longestMs,
	paymentOf,
	RETRIES,
	takenAfterAll,
	type LookedUp,
	type LookUpRun,
	type SentRow,
} from './sentRow';

/** Each row by its order reference, which is what the service was given to know it by. */
export async function askStatus(
	run: LookUpRun,
	rows: readonly SentRow[],
	all: readonly SentRow[],
): Promise<LookedUp[]> {
	const [first] = rows;
	if (first === undefined) return [];
	const payments = paymentsOf(run, all);
	const limited = createLimiter(run.lanes);
	const found = rows.map((row) => (isOpen(row) ? UNCLEAR : ABSENT));
	const asking = rows.map(async (row, place) => {
		const payment = payments.get(row);
		if (!isOpen(row) || payment === undefined) return;
		found[place] = await limited(async () => await askAbout(row, payment));
	});
	await within(longestMs(first.request.options), Promise.all(asking), run.signal);
	// What was found until now counts; what is found later does not change it any more.
	const asked = rows.map((row, place) => ({ row, ...(found[place] ?? UNCLEAR) }));
	const shared = sharedRecords(asked);
	return asked.map(({ row, record, isAbsent }) => ({
		row,
		result: record === null || shared.has(row) ? row.result : foundByOrder(run, row, record),
		isAbsent,
	}));
}

/** What the service said about a row: its record, plainly nothing, or nothing that is certain. */
interface Asked {
	record: Json | null;
	isAbsent: boolean;
}
const ABSENT: Asked = { record: null, isAbsent: true };
const UNCLEAR: Asked = { record: null, isAbsent: false };

/** One record is one payment: that of two rows is nobody's, nor is one that a reply named already. */
function sharedRecords(asked: ReadonlyArray<Asked & { row: SentRow }>): Set<SentRow> {
	const named = asked.map(({ row, record }) => ({
		of: row,
		account: accountOf(row.request.account),
		reference: (record ?? { ref: itemIn(row.result).reference }).ref,
		link: null,
		own: row.request.prepared.payment.orderReference,
	}));
	return new Set(sharedNames(named));
}

/** What may name each row. An order that several rows of an account have names none of them. */
function paymentsOf(
	{ operation }: LookUpRun,
	rows: readonly SentRow[],
): Map<SentRow, AskedPayment> {
	const payments = new Map(rows.map((row) => [row, paymentOf(operation, row)]));
	const accounts = new Map<string, AskedPayment[]>();
	for (const [{ request }, payment] of payments) {
		const account = JSON.stringify(accountOf(request.account));
		const known = accounts.get(account);
		if (known) known.push(payment);
		else accounts.set(account, [payment]);
	}
	for (const ofAccount of accounts.values())
		for (const payment of sharedOrders(ofAccount)) payment.isOneOfSeveral = true;
	return payments;
}

async function askAbout({ request }: SentRow, payment: AskedPayment): Promise<Asked> {
	const { client, options, account } = request;
	if (payment.ownReference === null) return UNCLEAR;
	try {
		const asked = { ...options, maxRetries: RETRIES };
		const record = await askForRecord(client, payment.ownReference, 'payin', asked);
		if (record === null) return ABSENT;
		const isMine = whoseRecord(record, payment, account, 'order').is === 'mine';
		return isMine ? { record, isAbsent: false } : UNCLEAR;
	} catch {
		return UNCLEAR;
	}
}

function foundByOrder(run: LookUpRun, row: SentRow, record: Json): RowResult {
	const { redactor } = row.request.client;
	return takenAfterAll(
		run,
		row,
		{
			message: 'No answer came, but the service knows it by its order reference.',
			data: redactor.deep(record),
			reference: readReference(record.ref),
		},
		redactor.deep(record.callback_url),
	);
}
