import type { INodeParameters } from 'n8n-workflow';

import { prng } from '../../../dev/sandbox/faults/prng.mts';
import { COLLECT, LINK, PATHS, SHEET } from '../payments.mts';

/**
 * One row of a sheet of collections. `reference` is its own: what must never be taken twice. The sheet
 * calls it `order`, because a column “reference” fills nothing.
 */
export type SheetRow = {
	reference: string;
	order: string;
	country: string;
	amount: number;
	phone: string;
};

/** More than the sandbox takes at once, and as far as we can know fine: the service itself says no. */
const TOO_MUCH = 2_000_000_000;
/** Nothing that can be asked for, so it never leaves. */
const BAD_AMOUNT = -1;

const good = (seed: number, index: number): SheetRow => ({
	reference: `S${seed}-${index + 1}`,
	order: `S${seed}-${index + 1}`,
	country: 'KE',
	// Below the amounts that steer the sandbox.
	amount: 1 + (index % 900_000),
	phone: `07${String(10_000_000 + (index % 900_000))}`,
});

/**
 * A sheet as people have them: most rows are fine, some the service declines, some are bad, and some
 * stand in it twice. The same seed gives the same sheet. The first row is declined: that is what makes
 * the host run a node anew when Retry On Fail is on.
 */
export function sheet(count: number, seed: number): SheetRow[] {
	const draw = prng(seed);
	const rows: SheetRow[] = [];
	const fine: SheetRow[] = [];
	for (let index = 0; index < count; index++) {
		const row = good(seed, index);
		const kind = draw();
		const earlier = fine[Math.floor(draw() * fine.length)];
		if (index === 0 || kind < 0.03) rows.push({ ...row, amount: TOO_MUCH });
		else if (kind < 0.06) rows.push({ ...row, amount: BAD_AMOUNT });
		else if (kind < 0.08 && earlier !== undefined) rows.push({ ...earlier });
		else {
			rows.push(row);
			fine.push(row);
		}
	}
	return rows;
}

/** Only rows that are fine, each once. */
export const goodSheet = (count: number, seed: number): SheetRow[] =>
	Array.from({ length: count }, (_, index) => good(seed, index));

/** The field of the ledger that holds a row's `reference`. */
export const REFERENCE = 'third_party_reference_1';

const REFERENCE_OF_ROW = '={{ $json.reference }}';

/** Collections with every field from the row, by expressions. */
export const inFields = (options: INodeParameters): INodeParameters => ({
	...COLLECT,
	orderReference: REFERENCE_OF_ROW,
	options,
});

/** The same by the headings of the sheet. */
export const inColumns = (options: INodeParameters): INodeParameters => ({ ...SHEET, options });

/** Payment links of the same rows; the sandbox keeps a row's `reference` as the name of its item. */
export const linksInFields = (options: INodeParameters): INodeParameters => ({
	...LINK,
	itemName: REFERENCE_OF_ROW,
	orderReference: REFERENCE_OF_ROW,
	additionalFields: { phone: '={{ $json.phone }}' },
	options,
});

/** The field of the ledger that holds the `reference` of a row of links. */
export const LINK_REFERENCE = 'item_name';

export const { link: LINKS_PATH, collect: COLLECTIONS_PATH } = PATHS;

/** The same for the naive control. */
export const forNaive = (more: INodeParameters = {}): INodeParameters => ({
	path: COLLECTIONS_PATH,
	body: `={{ ({ amount: $json.amount, mobile: '254' + $json.phone.slice(1), country_id: 1, currency: 'KES', ${REFERENCE}: $json.reference }) }}`,
	...more,
});
