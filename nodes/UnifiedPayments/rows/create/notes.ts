import { ADVICE } from '../../protocol/advice';
import { COUNTRIES } from '../../countries/data';
import { isCarried, LONGEST_SAFE_URL } from '../../payment/mark';
import type { RowNames } from '../rowNames';
import type { ReadyRow } from '../row';

type Note = 'tooLong' | 'notCarried' | 'otherCurrency';

const NOTES: Readonly<Record<Note, string>> = {
	tooLong: `A callback URL of more than ${LONGEST_SAFE_URL} characters, which a service may cut or refuse. ${ADVICE.shorterAddress}`,
	notCarried: `An order reference that a callback URL cannot carry, so payments cannot be matched with it. ${ADVICE.ordinaryReference}`,
	otherCurrency:
		"The heading of the amount names another currency than that of the customer's country, and the one of the heading is asked for. Make sure that the amount is meant so",
};

/** What there is to know about rows that can be sent, and may not do what was meant. */
export function notesOn(
	rows: readonly ReadyRow[],
	/** The currency in the heading of the amount. */
	inHeading: string | null,
	names: RowNames,
): string[] {
	const found = new Map<Note, number[]>();
	for (const row of rows) {
		for (const note of notesOnRow(row, inHeading)) {
			const places = found.get(note);
			if (places) places.push(row.place);
			else found.set(note, [row.place]);
		}
	}
	return [...found].map(([note, places]) => `${NOTES[note]}: ${names.several(places)}.`);
}

function notesOnRow({ request }: ReadyRow, inHeading: string | null): Note[] {
	const { callbackUrl, mark, orderReference: order, countryId } = request.payment;
	const notes: Note[] = [];
	// Without a callback URL, the service is given the order of a collection by a field of its own.
	if (mark !== null && order !== null && !isCarried(order)) notes.push('notCarried');
	else if ((callbackUrl ?? '').length > LONGEST_SAFE_URL) notes.push('tooLong');
	if (inHeading !== null && currencyOf(countryId) !== inHeading) notes.push('otherCurrency');
	return notes;
}

const currencyOf = (countryId: number): string | undefined =>
	COUNTRIES.find(({ id }) => id === countryId)?.currency;
