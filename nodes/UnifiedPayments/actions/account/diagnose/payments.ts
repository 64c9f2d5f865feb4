import type { RowOptions } from '../../../fields/options';
import { amountFrom } from '../../../payment/amount';
import { findCandidates, isAbout } from '../../../payment/references';
import { readState } from '../../../payment/state';
import type { ExtraStatuses } from '../../../protocol/credential';
import type { Json } from '../../../protocol/parse';
import { entriesOf, referencesIn, type Reply } from '../../../protocol/reply';
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
	const references = entries.flatMap((each) => referencesIn(each).slice(0, 1)).slice(0, MAX_ASKED);
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
	const named = payments.map(findCandidates).find((names) => names.some(({ isOwn }) => isOwn));
	const own = named?.find(({ isOwn }) => isOwn);
	if (named === undefined || own === undefined) {
		return finding(
			about,
			'cannotTell',
			"No payment that was looked at has an order reference. The callback of a collection may have one: see 'Callback' under 'Additional Fields'.",
		);
	}
	const found = await asked(askForRecord(client, own.reference, 'payin', options));
	if (!('value' in found)) return finding(about, 'cannotTell', said(found.failure));
	const { value: record } = found;
	if (record === null) {
		return finding(about, 'no', 'A payment is not found by the order reference that it states', [
			'',
			'A collection whose answer did not come cannot be looked up: look for it in the application of the service.',
		]);
	}
	return named.every((name) => name.isOwn || isAbout(record, name))
		? finding(about, 'yes', 'A payment was found by it')
		: finding(about, 'cannotTell', 'Another payment was found by it');
}

export function ofStates(records: readonly Json[], statuses: ExtraStatuses): Finding {
	const about = 'The words for the states of payments are known';
	const read = records.map((record) => readState([record], statuses));
	if (read.length === 0) return finding(about, 'cannotTell', 'No payment was found to look at');
	const words = [...new Set(read.map(({ status }) => status ?? 'none'))].map((word) =>
		/^[A-Za-z _-]{1,30}$/.test(word) ? word : '…',
	);
	const isKnown = read.every(({ state }) => state !== 'other');
	return finding(about, isKnown ? 'yes' : 'no', `Words that were seen: ${words.join(', ')}`, [
		"Credential: 'Success Statuses', 'Failure Statuses'",
		'Enter the words that are not known.',
	]);
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
