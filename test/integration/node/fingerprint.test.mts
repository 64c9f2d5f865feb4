import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { usePayments } from '../../helpers/payments.mts';

const { accepted, run: runNode, sandbox } = usePayments({ onError: 'continueErrorOutput' });

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
	url: fc.constantFrom('https://c.example/', 'https://a.example/h', 'https://b.example/h?x=1'),
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

it.each<[Resource, typeof CHANGES]>([
	['collection', CHANGES],
	['paymentLink', LINK_CHANGES],
])(
	'the fingerprint of a %s approves the same rows however they are written, ordered and read, and no others',
	async (resource, changes) => {
		const changed = fc.constantFrom(...Object.values(changes));
		await fc.assert(
			fc.asyncProperty(sheets, manners, manners, changed, fc.nat(), async (...drawn) => {
				const [sheet, one, other, change, seed] = drawn;
				sandbox.reset();
				sandbox.change({ mode: 'rich' });
				const approvedFingerprint = await fingerprint(resource, sheet, one);
				const at = seed % sheet.length;
				for (const not of [replaced(sheet, at, change(sheet[at]!)), sheet.slice(1)]) {
					const refused = await run('create', resource, not, other, { approvedFingerprint });
					expect(refused.successJson).toEqual([]);
				}
				expect(accepted()).toBe(0);

				await run('create', resource, sheet, other, { approvedFingerprint });
				expect(accepted()).toBe(sheet.length);
			}),
			{ numRuns: 100 },
		);
	},
	5 * 60_000,
);
