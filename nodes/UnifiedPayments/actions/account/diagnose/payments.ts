import type { RowOptions } from '../../../fields/options';
import { amountFrom } from '../../../payment/amount';
import { OWN_REFERENCE } from '../../../payment/compare';
import { readTold } from '../../../payment/callback';
import { readRecord } from '../../../payment/record';
import { readState, type StatusWords } from '../../../payment/state';
import type { Json } from '../../../protocol/parse';
import { entriesOf, referenceIn, type Reply } from '../../../protocol/reply';
import type { Client } from '../../../transport/client';
import { askForRecord } from '../../../transport/status';
import { asked, finding, REPORT, said, type Asked, type Finding } from './finding';

/** How many links are looked at for one that was paid. */
const MAX_ASKED = 5;

/** The records of payments of the links that are listed first. */
export async function recordsOf(
	entries: readonly Json[],
	options: RowOptions,
	client: Client,
): Promise<Json[]> {
	const account = await client.credential();
	const references = entries
		.flatMap((each) => referenceIn(each, account) ?? [])
		.slice(0, MAX_ASKED);
	const records: Json[] = [];
	for (const reference of references) {
		const found = await asked(askForRecord(client, reference, 'payin', options));
		if (!('value' in found)) break;
		if (found.value !== null) records.push(found.value);
	}
	return records;
}

/** `payments` are those that the service is known to have. */
export async function ofOwnReference(
	payments: readonly Json[],
	options: RowOptions,
	client: Client,
): Promise<Finding> {
	const about = 'The status is also given by the order reference';
	const account = await client.credential();
	const known = payments
		.map((each) => readTold(each, account).record)
		.find(({ orderReference }) => orderReference !== null);
	const order = known?.orderReference ?? null;
	if (known === undefined || order === null) {
		return finding(
			about,
			'cannotTell',
			"No payment that was looked at has an order reference. The callback of a collection may have one: see 'Callback' under 'Additional Fields'.",
		);
	}
	const found = await asked(askForRecord(client, order, 'payin', options));
	if (!('value' in found)) return finding(about, 'cannotTell', said(found.failure));
	if (found.value === null) {
		return finding(about, 'no', `A payment is not found by its ${OWN_REFERENCE}`, [
			'',
			'A collection whose answer did not come cannot be looked up: look for it in the application of the service.',
		]);
	}
	const { reference } = readRecord(found.value, account);
	return reference !== null && reference === known.reference
		? finding(about, 'yes', 'A payment was found by it')
		: finding(about, 'cannotTell', 'Perhaps another payment was found by it');
}

export function ofStates(records: readonly Json[], lists: StatusWords): Finding {
	const about = 'The words for the states of payments are known';
	const read = records.map((record) => readState(record, lists));
	if (read.length === 0) return finding(about, 'cannotTell', 'No payment was found to look at');
	const words = [...new Set(read.map(({ status }) => status ?? 'none'))].map((word) =>
		/^[A-Za-z _-]{1,30}$/.test(word) ? word : '…',
	);
	const isKnown = read.every(({ state }) => state !== 'pending');
	return finding(
		about,
		isKnown ? 'yes' : 'cannotTell',
		`Words that were seen: ${words.join(', ')}`,
		["Credential: 'Success Statuses', 'Failure Statuses'", 'Enter the words that are not known.'],
	);
}

/** `1,234.50` as `"0,000.00"`: how it is written, and not how much it is. */
const formOf = (value: unknown): string =>
	JSON.stringify(value)
		.replace(/\d/g, '0')
		.replace(/[^\d.,"' +-]/g, 'x')
		.slice(0, 30);

export function ofNumbers(balance: Asked<Reply>, records: readonly Json[]): Finding {
	const about = 'Numbers can be read';
	const wallets = 'value' in balance ? (entriesOf(balance.value) ?? []) : [];
	const values = [...wallets, ...records]
		.flatMap(({ amount, fee, balance: left }) => [amount, fee, left])
		.filter((value) => value !== undefined && value !== null && value !== '');
	if (values.length === 0) return finding(about, 'cannotTell', 'No number was found to look at');
	const forms = [...new Set(values.map(formOf))].slice(0, 5).join(' ');
	const isReadable = values.every((value) => amountFrom(value) !== null);
	return finding(
		about,
		isReadable ? 'yes' : 'no',
		`Written like this, with 0 for every digit: ${forms}`,
		REPORT,
	);
}
