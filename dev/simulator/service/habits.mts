import type { Transaction as SandboxTransaction } from '../../sandbox/model.mts';
import { callbackBody as sandboxCallback } from '../../sandbox/life/records.mts';
import { DEFAULT_SWITCHES, type Switches as SandboxSwitches } from '../../sandbox/switches.mts';
import type { Entry } from './ledger.mts';
import type { Switches } from './switches.mts';

type Wire = Record<string, unknown>;

/** Those habits that the sandbox has itself. */
export const sandboxSwitches = ({ replies, ...own }: Switches): SandboxSwitches => ({
	...DEFAULT_SWITCHES,
	listEntries: own.listEntries,
	records: own.records,
	callbackUrls: own.callbackUrls,
	statusBy: own.statusBy,
	mode: replies === 'rich' ? 'rich' : 'spec',
});

const MONEY = new Set(['amount', 'fee', 'balance', 'value']);

/** "1500.00" as some services write it, wherever it stands. */
const withCommas = (data: unknown): unknown =>
	JSON.parse(
		JSON.stringify(data, (name, value: unknown) =>
			MONEY.has(name) && typeof value === 'string'
				? value.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
				: value,
		),
	);

const worded = (record: Wire, { words }: Switches): Wire => ({
	...record,
	status: words[record.status as keyof Switches['words']],
});

/** The record of a status reply, as this service writes it. */
export function habitual(record: Wire, entry: Entry, switches: Switches): Wire {
	const { third_party_reference_1, third_party_reference_2 } = entry.params;
	const own = switches.recordsNameOrder ? { third_party_reference_1, third_party_reference_2 } : {};
	return inNumbers({ ...worded(record, switches), ...own }, switches) as Wire;
}

export const inNumbers = (data: unknown, { numbers }: Switches): unknown =>
	numbers === 'commas' ? withCommas(data) : data;

/** What a callback says: the record, and the caller's own references. */
export const callbackBody = (
	record: SandboxTransaction,
	switches: Switches,
	moment?: 'asOpened',
): Wire =>
	inNumbers(
		worded(sandboxCallback(record, sandboxSwitches(switches), moment), switches),
		switches,
	) as Wire;
