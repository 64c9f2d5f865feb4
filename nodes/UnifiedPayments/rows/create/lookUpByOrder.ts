import { readReference } from '../../payment/references';
import { sharedNames, whoseRecord } from '../../payment/whose';
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
export async function askStatus(run: LookUpRun, rows: readonly SentRow[]): Promise<LookedUp[]> {
	const [first] = rows;
	if (first === undefined) return [];
	const limited = createLimiter(run.lanes);
	const found = rows.map((row) => (isOpen(row) ? UNCLEAR : ABSENT));
	const asking = rows.map(async (row, place) => {
		if (isOpen(row)) found[place] = await limited(async () => await askAbout(run, row));
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

async function askAbout(run: LookUpRun, row: SentRow): Promise<Asked> {
	const { client, options, account } = row.request;
	const payment = paymentOf(run.operation, row);
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
