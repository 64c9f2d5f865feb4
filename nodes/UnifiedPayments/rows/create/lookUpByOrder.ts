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
	// What is open and has no order cannot be asked about.
	const found = rows.map((row): Asked => (isOpen(row) ? 'unclear' : 'absent'));
	const asking = rows.map(async (row, place) => {
		if (!isOpen(row) || !canBeAsked(row)) return;
		found[place] = await limited(async () => await askAbout(run, row));
	});
	await within(longestMs(first.request.options), Promise.all(asking), run.signal);
	// What was found until now counts; what is found later does not change it any more.
	const asked = [...found];
	const shared = sharedRecords(rows, asked);
	return rows.map((row, place) => {
		const record = asked[place]!;
		const isTaken = typeof record === 'object' && !shared.has(row);
		const result = isTaken ? foundByOrder(run, row, record) : row.result;
		return { result, isAbsent: record === 'absent' };
	});
}

/** What the service said about a row: its record, plainly nothing, or nothing that is certain. */
type Asked = Json | 'absent' | 'unclear';

/** One record is one payment: that of two rows is nobody's, nor is one that a reply named already. */
function sharedRecords(rows: readonly SentRow[], asked: readonly Asked[]): Set<SentRow> {
	const named = rows.map((row, place) => {
		const { account, prepared } = row.request;
		const record = asked[place];
		const reference = typeof record === 'object' ? record.ref : itemIn(row.result).reference;
		const own = prepared.payment.orderReference;
		return { of: row, account: accountOf(account), reference, link: null, own };
	});
	return new Set(sharedNames(named));
}

const canBeAsked = ({ request: { prepared } }: SentRow): boolean =>
	prepared.payment.orderReference !== null;

async function askAbout(run: LookUpRun, row: SentRow): Promise<Asked> {
	const { client, options, account } = row.request;
	const payment = paymentOf(run.operation, row);
	try {
		const record = await askForRecord(client, payment.ownReference ?? '', 'payin', {
			...options,
			maxRetries: RETRIES,
		});
		if (record === null) return 'absent';
		return whoseRecord(record, payment, account, 'order').is === 'mine' ? record : 'unclear';
	} catch {
		return 'unclear';
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
