import { createHash } from 'node:crypto';

import { orderOf } from '../../../nodes/UnifiedPayments/payment/order.ts';
import { findEntries } from '../../../nodes/UnifiedPayments/payment/list.ts';
import { readMark, withMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readRecord } from '../../../nodes/UnifiedPayments/payment/record.ts';
import { runs } from '../../helpers/runs.mts';
import { HOOK, markOf, paymentWith } from '../payment/payment.mts';
import { readerWith } from '../payment/reader.mts';

const LINKS = runs(10_000, 2000);
const CALLBACKS = runs(30_000, 6000);

const OURS = readerWith({ secretKey: 'ours' });
const THEIRS = readerWith({ secretKey: 'theirs' });

const linkOf = (order: string | null, amount: string, key: string) =>
	paymentWith(
		{ orderReference: order, amount, key: { key, by: 'orderReference', values: null } },
		OURS,
	);

/** The same numbers in every run. */
function createRandom(seed: string) {
	let count = 0;
	const below = (limit: number) =>
		createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32BE() % limit;
	return { below, oneOf: <T,>(all: readonly T[]): T => all[below(all.length)]! };
}

const random = createRandom('attribution');

interface Row {
	order: string | null;
	amount: string;
	item: string;
	/** Whether the service took it; its reply may be lost all the same. */
	taken: boolean;
	mark: string;
	params: Record<string, unknown>;
}

/** Orders like those of people: twins in all values, corrections of the amount, odd characters. */
const rows = Array.from({ length: LINKS }, (_, index): Row => {
	const order = random.oneOf([`A-${index}`, `INV ${index}/é`, `${index}`, null]);
	const amount = random.oneOf(['100', '99.5', '1250.05']);
	const item = random.oneOf(['Rent', 'Chair', `Order A-${index}`]);
	const { mark } = linkOf(order, amount, `payment ${index}`);
	return {
		order,
		amount,
		item,
		taken: random.below(10) > 0,
		mark,
		params: {
			business_name: 'Shop',
			item_name: item,
			amount,
			currency: 'KES',
			country_id: 1,
			...(order === null ? { email: `p${index}@example.com` } : {}),
			callback_url: withMark(HOOK, mark),
		},
	};
});

const shuffled = <T,>(all: readonly T[]): T[] => {
	const copy = [...all];
	for (let at = copy.length - 1; at > 0; at--) {
		const other = random.below(at + 1);
		[copy[at], copy[other]] = [copy[other]!, copy[at]!];
	}
	return copy;
};

const FORMS = {
	whole: (params: Row['params']) => params,
	otherNames: (params: Row['params']) => ({ note: `POST ${String(params.callback_url)}` }),
	noUrl: ({ callback_url: _, ...rest }: Row['params']) => rest,
	noQuery: (params: Row['params']) => ({
		...params,
		callback_url: String(params.callback_url).split('?')[0],
	}),
};

it.each(Object.keys(FORMS) as Array<keyof typeof FORMS>)(
	`${LINKS} links, listed as %s: none is given to a wrong row`,
	async (form) => {
		const entries = shuffled(
			rows.flatMap((row, index) => (row.taken ? [{ ...FORMS[form](row.params), of: index }] : [])),
		);
		const links = rows.map(({ order, amount }, index) => linkOf(order, amount, `payment ${index}`));
		const matches = await findEntries(entries, links, OURS, async () => undefined);
		const wrong = matches.filter(({ entry }, index) => entry !== null && entry.of !== index);
		const found = matches.filter(({ entry }) => entry !== null).length;
		expect(wrong).toEqual([]);
		const taken = rows.filter((row) => row.taken).length;
		// Equal values prove nothing: without the mark there is no link at all.
		expect(found).toBe(form === 'whole' || form === 'otherNames' ? taken : 0);
	},
	60_000,
);

/** What a liar, a clumsy proxy or another account makes of an address. */
const SPOILT: Array<(url: string, other: Row) => string> = [
	(url) => url.slice(0, -1),
	(url) => `${url}&${url.split('&').pop()!}`,
	(url) => url.replace(/\.(?=[\w-]{16}$)/, '%2E'),
	(url) => url.replace(/upo=l/, 'upo=c'),
	(url, other) => url.replace(/upo=[^.]*/, `upo=${other.mark.split('.')[0]!}`),
	(url) => url.replace(/\.(\d+)(?=[A-Z]{3}\.)/, (_, cents: string) => `.${Number(cents) + 1}`),
	(url) => url.replace(/[\w-]{16}$/, 'A'.repeat(16)),
	(_, { order, amount }) => withMark(HOOK, markOf(linkOf(order, amount, 'any'), THEIRS)),
];

it(`${CALLBACKS} callbacks, repeated, out of order and forged: no payment goes to a wrong order`, () => {
	const counts = { attributed: 0, rejected: 0, without: 0 };
	for (let at = 0; at < CALLBACKS; at++) {
		const row = random.oneOf(rows);
		const other = random.oneOf(rows);
		const own = String(row.params.callback_url);
		const isStated = random.below(2) === 0;
		const kind = random.oneOf(['own', 'spoilt', 'another', 'bare'] as const);
		const spoilt = random.oneOf(SPOILT)(own, other);
		const called = {
			own,
			spoilt,
			another: String(other.params.callback_url),
			bare: HOOK,
		}[kind];
		const record = {
			ref: `TX-${at}`,
			amount: row.amount,
			currency: 'KES',
			status: 'success',
			...(isStated ? { callback_url: own } : {}),
		};
		const read = orderOf(readRecord(record, OURS), readMark(OURS, called));
		const isSame = called === own;
		if (kind === 'spoilt' && !isSame) {
			expect(read.is).toBe('mismatch');
			counts.rejected++;
		} else if (isStated && kind === 'another' && other.mark !== row.mark) {
			expect(read.is).toBe('mismatch');
			counts.rejected++;
		} else if (isStated) {
			const order = { orderReference: row.order, paidInFull: true };
			expect(read).toMatchObject({ is: 'order', order });
			counts.attributed++;
		} else if (kind === 'bare') {
			expect(read).toMatchObject({ is: 'order', order: { orderReference: null, asked: null } });
			counts.without++;
		}
	}
	for (const count of Object.values(counts)) expect(count).toBeGreaterThan(CALLBACKS / 30);
});
