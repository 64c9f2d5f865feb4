import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { usePayments } from '../../helpers/payments.mts';

const { accepted, run: runNode, sandbox } = usePayments({ onError: 'continueErrorOutput' });

const SHEETS = { numRuns: 150 };
const MINUTES = 5 * 60_000;

/** What a row asks for, before anybody wrote it down. */
interface Asked {
	hundredths: number;
	/** Nine digits of a Kenyan mobile number. */
	number: string;
	order: string;
	item: string;
	url: string;
}

const asked: fc.Arbitrary<Asked> = fc.record({
	hundredths: fc.integer({ min: 1, max: 10_000_000 }),
	number: fc.nat({ max: 99_999_999 }).map((n) => `7${String(n).padStart(8, '0')}`),
	order: fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/),
	item: fc.stringMatching(/^[a-z]{1,8}$/),
	url: fc.constantFrom('', 'https://a.example/h', 'https://b.example/h?x=1'),
});
const sheets = fc.uniqueArray(asked, {
	selector: ({ order }) => order,
	minLength: 1,
	maxLength: 5,
});

/** A way to hand a sheet to the node: how values are written, in what order, and how they are read. */
interface Manner {
	seed: number;
	mode: 'fields' | 'columns' | 'mapped';
	reversed: boolean;
}

const manners: fc.Arbitrary<Manner> = fc.record({
	seed: fc.nat(),
	mode: fc.constantFrom('fields', 'columns', 'mapped'),
	reversed: fc.boolean(),
});

const pick = <T,>(choices: readonly T[], seed: number): T => choices[seed % choices.length]!;

const grouped = (hundredths: number) =>
	(hundredths / 100).toLocaleString('en', { minimumFractionDigits: 2 });

/** The values of a row, by the node's own names. */
function written({ hundredths, number, order, item, url }: Asked, seed: number): IDataObject {
	const amount = hundredths / 100;
	const pad = pick(['', ' ', '\t'], seed);
	return {
		country: pick(['KE', 'Kenya', 1, 'kenya '], seed),
		amount: pick([amount, amount.toFixed(2), ` ${amount} `, grouped(hundredths)], seed >> 2),
		mobile: pick([`0${number}`, `+254${number}`, `254 ${number}`, Number(number)], seed >> 4),
		// Text is sent as it is written, spaces included.
		order,
		item,
		url: `${url}${url === '' ? '' : pad}`,
	};
}

const HEADINGS = {
	collection: {
		country: 'Country',
		amount: 'Amount',
		mobile: 'Phone Number',
		order: 'Third Party Reference 1',
		url: 'Callback URL',
	},
	paymentLink: {
		country: 'Country',
		amount: 'Amount',
		mobile: 'Phone',
		order: 'Order Reference',
		item: 'Item Name',
		url: 'Callback URL',
	},
} as const;

type Resource = keyof typeof HEADINGS;

const cell = (name: string) => `={{ $json.${name} }}`;
const SHARED = {
	country: cell('country'),
	amount: cell('amount'),
	orderReference: cell('order'),
	callbackUrl: cell('url'),
};
const COLLECTION = { ...SHARED, mobile: cell('mobile') };
const LINK = { ...SHARED, businessName: 'Shop', itemName: cell('item') };
const phone = cell('mobile');

const FIELDS: Record<Resource, INodeParameters> = {
	collection: COLLECTION,
	paymentLink: { ...LINK, additionalFields: { phone } },
};
const MAPPED: Record<Resource, IDataObject> = {
	collection: COLLECTION,
	paymentLink: { ...LINK, phone },
};

const mapper = (mappingMode: string, value: IDataObject | null) =>
	({
		inputMode: 'columns',
		columns: { mappingMode, value, matchingColumns: [], schema: [] },
	}) as unknown as INodeParameters;

function handedOver(resource: Resource, sheet: Asked[], { seed, mode, reversed }: Manner) {
	const rows = sheet.map((each, index) => written(each, seed + index));
	const headings: Record<string, string> = HEADINGS[resource];
	const under = (row: IDataObject): IDataObject => ({
		...Object.fromEntries(Object.entries(headings).map(([name, text]) => [text, row[name]])),
		...(resource === 'paymentLink' && { 'Business Name': 'Shop' }),
	});
	const items = mode === 'columns' ? rows.map(under) : rows;
	const parameters = {
		fields: FIELDS[resource],
		columns: mapper('autoMapInputData', null),
		mapped: mapper('defineBelow', MAPPED[resource]),
	}[mode];
	return { items: reversed ? items.reverse() : items, parameters: { resource, ...parameters } };
}

async function run(
	operation: string,
	resource: Resource,
	sheet: Asked[],
	manner: Manner,
	options: IDataObject = {},
) {
	const { items, parameters } = handedOver(resource, sheet, manner);
	// A workflow of its own: what was sent before is no matter here.
	return await runNode({ ...parameters, operation }, items, { options, workflowId: undefined });
}

async function fingerprint(resource: Resource, sheet: Asked[], manner: Manner): Promise<string> {
	const { successJson } = await run('check', resource, sheet, manner);
	// A sheet that is refused would have no fingerprint, and be like every other one.
	expect(successJson).toMatchObject([{ valid: sheet.length, problems: [] }]);
	return successJson[0]!.fingerprint as string;
}

const another = (number: string) =>
	`7${(Number(number.slice(1)) + 1) % 100_000_000}`.padEnd(9, '0');

const replaced = (sheet: Asked[], at: number, change: Partial<Asked>): Asked[] =>
	sheet.map((row, index) => (index === at ? { ...row, ...change } : row));

/** Each of them is something else that would be sent. */
const CHANGES: Record<string, (row: Asked) => Partial<Asked>> = {
	'a hundredth more': ({ hundredths }) => ({ hundredths: hundredths + 1 }),
	'another phone': ({ number }) => ({ number: another(number) }),
	'another order': ({ order, url }) => ({
		order: `${order}x`,
		// The order of a link travels in its callback URL.
		url: url || 'https://a.example/h',
	}),
	'another callback URL': ({ url }) => ({ url: `${url || 'https://c.example/'}y` }),
};

const LINK_CHANGES: typeof CHANGES = {
	...CHANGES,
	'another item': ({ item }) => ({ item: `${item}s` }),
};

describe.each<[Resource, typeof CHANGES]>([
	['collection', CHANGES],
	['paymentLink', LINK_CHANGES],
])('the fingerprint of a sheet: %s', (resource, changes) => {
	it(
		'is the same however the sheet is written, ordered and read',
		async () => {
			await fc.assert(
				fc.asyncProperty(sheets, manners, manners, async (sheet, one, other) => {
					expect(await fingerprint(resource, sheet, one)).toBe(
						await fingerprint(resource, sheet, other),
					);
				}),
				SHEETS,
			);
		},
		MINUTES,
	);

	it(
		'is another one after any change, also of one row, and for one row more or less',
		async () => {
			await fc.assert(
				fc.asyncProperty(
					sheets,
					manners,
					manners,
					fc.constantFrom(...Object.keys(changes), 'a row less', 'a row more'),
					fc.nat(),
					async (sheet, one, other, change, seed) => {
						const at = seed % sheet.length;
						const row = sheet[at]!;
						const more = { ...row, order: `${row.order}-2` };
						const changed =
							change === 'a row more'
								? [...sheet, more]
								: change === 'a row less'
									? sheet.filter((_, index) => index !== at)
									: replaced(sheet, at, changes[change]!(row));
						fc.pre(changed.length > 0);
						fc.pre(new Set(changed.map(({ order }) => order)).size === changed.length);
						expect(await fingerprint(resource, changed, other)).not.toBe(
							await fingerprint(resource, sheet, one),
						);
					},
				),
				SHEETS,
			);
		},
		MINUTES,
	);

	it(
		'approves the same rows however they are written then, and no others',
		async () => {
			await fc.assert(
				fc.asyncProperty(sheets, manners, manners, fc.nat(), async (sheet, one, other, seed) => {
					sandbox.reset();
					sandbox.change({ mode: 'rich' });
					const approvedFingerprint = await fingerprint(resource, sheet, one);
					const at = seed % sheet.length;
					const changed = replaced(sheet, at, CHANGES['a hundredth more']!(sheet[at]!));
					const refused = await run('create', resource, changed, other, { approvedFingerprint });
					expect(refused.successJson).toEqual([]);
					expect(accepted()).toBe(0);

					await run('create', resource, sheet, other, { approvedFingerprint });
					expect(accepted()).toBe(sheet.length);
				}),
				{ numRuns: 50 },
			);
		},
		MINUTES,
	);
});
