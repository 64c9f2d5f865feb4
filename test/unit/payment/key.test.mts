import type { PaymentValues as Payment } from '../../../nodes/UnifiedPayments/payment/payment.ts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import {
	findDuplicates,
	keyOf,
	nameOf,
	nameOfItsOwn,
} from '../../../nodes/UnifiedPayments/payment/key.ts';

const SAVED = { baseUrl: 'https://a.example/api', clientId: 'c', sender: 's', secretKey: 'k' };
const PAYMENT: Payment = {
	kind: 'collection',
	orderReference: null,
	ownReference: null,
	mobile: null,
	payer: ['254712345678'],
	item: 'Rent',
	amount: '100',
	currency: 'KES',
	countryId: 1,
};

/** Each makes it another payment. */
const OTHERS: Array<Partial<Payment>> = [
	{ payer: ['254712345679'] },
	{ payer: [...PAYMENT.payer, 'a@example.com'] },
	{ item: 'Rent May' },
	{ amount: '100.5' },
	{ currency: 'UGX' },
	{ countryId: 11 },
];

const keyFor = (
	payment: Partial<Payment> = {},
	duplicateKey: string | null = null,
	saved: Partial<typeof SAVED> = {},
	path = '/create',
) => {
	const account = readCredential({ ...SAVED, ...saved });
	const whole = { ...PAYMENT, ...payment };
	return keyOf(account, path, nameOf(account, path, duplicateKey, whole.orderReference), whole);
};

it.each([
	['a key', keyFor({ orderReference: 'A-1' }, 'K-1'), "a 'Duplicate Key' of its own"],
	['its order', keyFor({ orderReference: 'A-1' }), 'an order reference of its own'],
])('a row that is known by %s becomes another payment by a name of that kind', (_, key, name) => {
	expect(nameOfItsOwn(key)).toBe(name);
	expect(keyFor({ orderReference: 'A-1' }, '').by).toBe('orderReference');
});

describe('what makes two rows the same payment', () => {
	it('is the duplicate key, if there is one', () => {
		const one = keyFor({ orderReference: 'x' }, 'A-1');
		expect(one.by).toBe('duplicateKey');
		expect(keyFor({ orderReference: 'y', amount: '7' }, 'A-1').key).toBe(one.key);
		expect(keyFor({ orderReference: 'x' }, 'A-2').key).not.toBe(one.key);
	});

	it('else the order reference, if there is one', () => {
		const one = keyFor({ orderReference: 'A-1' });
		expect(one.by).toBe('orderReference');
		expect(keyFor({ orderReference: 'A-1', item: 'Other', amount: '7' }).key).toBe(one.key);
		expect(keyFor({ orderReference: 'A-2' }).key).not.toBe(one.key);
		expect(keyFor({}, 'A-1').key).not.toBe(one.key);
	});

	it('else payer, item, amount, currency and country', () => {
		const one = keyFor();
		expect(one).toMatchObject({ by: 'values', values: null });
		expect(keyFor({ payer: [' 254712345678 '], item: ' Rent ' }).key).toBe(one.key);
		for (const other of OTHERS) expect(keyFor(other).key).not.toBe(one.key);
	});

	it.each([
		['composed or not', 'caf\u00e9', 'cafe\u0301'],
		['a zero-width space', 'A-1', 'A\u200b-1'],
		['a no-break space', 'INV 1', 'INV\u00a01'],
		['outer spaces', 'A-1', ' A-1\u00a0'],
		['a mark that turns the direction', 'A-1', 'A\u202e-1'],
		['a space with nothing around it', 'A 1', 'A\u3000\u200b\t1'],
	])('is compared as people see it: %s', (_, one, other) => {
		expect(keyFor({ orderReference: other }).key).toBe(keyFor({ orderReference: one }).key);
		expect(keyFor({}, other).key).toBe(keyFor({}, one).key);
		expect(keyFor({ item: other })).toEqual(keyFor({ item: one }));
		expect(keyFor({ payer: [other] })).toEqual(keyFor({ payer: [one] }));
	});

	it.each([
		['case', 'A-1', 'a-1'],
		['leading zeros', '7', '007'],
		['a space', 'INV1', 'INV 1'],
		// A Cyrillic letter is another letter, however much it looks like ours.
		['another alphabet', 'A-1', '\u0410-1'],
	])('and what people see differ makes two: %s', (_, one, other) => {
		expect(keyFor({ orderReference: other }).key).not.toBe(keyFor({ orderReference: one }).key);
		expect(keyFor({}, other).key).not.toBe(keyFor({}, one).key);
	});

	it('within one account and operation, however its address is written', () => {
		expect(keyFor({}, null, { baseUrl: 'HTTP://A.example:80/api/' }).key).toBe(keyFor().key);
		expect(keyFor({}, null, { clientId: 'd' }).key).not.toBe(keyFor().key);
		expect(keyFor({}, null, { baseUrl: 'https://b.example/api' }).key).not.toBe(keyFor().key);
		expect(keyFor({}, null, {}, '/other').key).not.toBe(keyFor().key);
		expect(keyFor({}, null, { secretKey: 'new' }).key).toBe(keyFor().key);
	});

	it.each([
		['an order', { orderReference: 'A-1' }, null],
		['a key', {}, 'K-1'],
	])('knows whether other values were sent for the same: %s', (_, named, key) => {
		const values = (payment: Partial<Payment>) => keyFor({ ...named, ...payment }, key).values;
		for (const other of OTHERS) expect(values(other)).not.toBe(values({}));
		expect(values({ item: ' Rent ' })).toBe(values({}));
	});
});

describe('rows of one input with the same key', () => {
	const { key: KEY } = keyFor({ orderReference: 'A-1' });
	type Row = Parameters<typeof findDuplicates>[0][number];
	const row = (input: object, params: object = {}, key = KEY): Row => ({
		key,
		params: { amount: '100', ...params },
		fields: { ...params },
		input: { ...input },
	});
	/** Of rows at the places 10, 11, …, which need not be those of the array. */
	const duplicates = async (...rows: Row[]) => {
		const placed = rows.map((each, index) => ({ ...each, place: 10 + index }));
		const found = await findDuplicates(placed, async () => undefined);
		return Object.fromEntries(
			found.map(({ row: { place }, other, differsIn }) => [
				place,
				{ other: other.place, differsIn },
			]),
		);
	};

	it('repeat the first when they are the same in everything but the number of the row', async () => {
		const others = { other: 10, differsIn: null };
		expect(
			await duplicates(
				row({ row_number: 2, a: 1, b: [{ c: 2 }] }),
				row({ row_number: 3, b: [{ c: 2 }], a: 1 }),
				row({ a: 1, b: [{ c: 2 }] }),
			),
		).toEqual({ 11: others, 12: others });
	});

	const sends = (params: object) => row({}, params);

	it.each<[string, Row, Row, string]>([
		['a column', row({ note: 'x' }), row({ note: 'y' }), 'note'],
		['a column that only the other has', row({}), row({ note: null }), 'note'],
		['the kind of a value', row({ a: 1 }), row({ a: '1' }), 'a'],
		['what is not quite the number', row({ Row_Number: 1 }), row({ Row_Number: 2 }), 'Row_Number'],
		['a field that is sent', sends({ email: 'a@x' }), sends({ email: 'b@x' }), 'email'],
		['what a column fills', row({ Sum: 1 }, { amount: '1' }), row({ Sum: 2 }), 'Sum'],
		['how the order is written', row({ Order: 'A-1' }), row({ Order: ' A-1' }), 'Order'],
	])('are all refused when they differ in %s', async (_, one, other, differsIn) => {
		expect(await duplicates(one, other)).toEqual({
			10: { other: 11, differsIn },
			11: { other: 10, differsIn },
		});
	});

	it('are compared one by one, without writing out what they share', async () => {
		const logo = {
			toJSON() {
				throw new Error('written out');
			},
		};
		const rows = Array.from({ length: 100 }, () => row({}, { logo }));
		let pauses = 0;
		const found = await findDuplicates(rows, async () => void pauses++);
		expect(found).toHaveLength(99);
		// Once for each row that is put into a group, and once for each that is compared.
		expect(pauses).toBeGreaterThanOrEqual(199);
	});

	it('are all refused when one of them cannot be read', async () => {
		const unread = { ...row({ a: 'x' }), params: null };
		expect(await duplicates(row({ a: 1 }), unread)).toEqual({
			10: { other: 11, differsIn: 'a' },
			11: { other: 10, differsIn: 'a' },
		});
		const inFields = { ...row({}, { amount: '1.5.0' }), params: null };
		expect(await duplicates(row({}, { amount: '100' }), inFields)).toMatchObject({
			10: { differsIn: 'amount' },
		});
	});

	it('are all refused when any of them differs, and none is named as its own twin', async () => {
		expect(
			await duplicates(row({ a: 1 }), row({ a: 1 }), row({ a: 2 }), row({ a: 1, b: 1 })),
		).toEqual({
			10: { other: 12, differsIn: 'a' },
			11: { other: 12, differsIn: 'a' },
			12: { other: 10, differsIn: 'a' },
			13: { other: 10, differsIn: 'b' },
		});
	});

	it.each([
		['duplicateKey', keyFor({}, 'K-1').key, keyFor({}, 'K-2').key],
		[
			'orderReference',
			keyFor({ orderReference: 'A-1' }).key,
			keyFor({ orderReference: 'A-2' }).key,
		],
		['values', keyFor().key, keyFor({ amount: '7' }).key],
	])('are found whichever key it is, and others are left alone: %s', async (_, key, other) => {
		expect(await duplicates(row({}, {}, key), row({}, {}, other))).toEqual({});
		expect(await duplicates(row({}, {}, key), row({}, {}, other), row({}, {}, key))).toEqual({
			12: { other: 10, differsIn: null },
		});
	});
});
