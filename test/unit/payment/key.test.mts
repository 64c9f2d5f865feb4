import type { IDataObject } from 'n8n-workflow';

import { readOptions } from '../../../nodes/UnifiedPayments/fields/options.ts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import {
	findTwins,
	identityOf,
	isCompared,
	nameOfItsOwn,
	type Identity,
	type Payment,
} from '../../../nodes/UnifiedPayments/payment/key.ts';

const SAVED = { baseUrl: 'https://a.example/api', clientId: 'c', sender: 's', secretKey: 'k' };
const PAYMENT: Payment = {
	orderReference: null,
	payer: ['254712345678'],
	item: 'Rent',
	amount: '100',
	currency: 'KES',
	countryId: 1,
};

const identity = (
	payment: Partial<Payment> = {},
	options: IDataObject = {},
	saved: Partial<typeof SAVED> = {},
	path = '/create',
) =>
	identityOf(readCredential({ ...SAVED, ...saved }), path, readOptions(options), {
		...PAYMENT,
		...payment,
	});

it.each([
	['a key', { duplicateKey: 'A-1' }, "a 'Duplicate Key' of its own"],
	['its values', {}, 'an order reference of its own'],
])(
	'a row that is known by %s becomes another payment by a name of that kind',
	(_, options, name) => {
		expect(nameOfItsOwn(identity({}, options))).toBe(name);
	},
);

describe('what makes two rows the same payment', () => {
	it('is the duplicate key, if there is one', () => {
		const options = { duplicateKey: 'A-1' };
		expect(identity({ orderReference: 'x' }, options).key).toBe(
			identity({ orderReference: 'y', amount: '7' }, { duplicateKey: ' A-1 ' }).key,
		);
		expect(identity({}, options).by).toBe('duplicateKey');
		expect(identity({}, options).key).not.toBe(identity({}, { duplicateKey: 'A-2' }).key);
	});

	it('else the order reference, if there is one', () => {
		const one = identity({ orderReference: 'A-1' });
		expect(one).toMatchObject({ by: 'orderReference' });
		expect(identity({ orderReference: ' A-1 ', item: 'Other', amount: '7' }).key).toBe(one.key);
		expect(identity({ orderReference: 'a-1' }).key).not.toBe(one.key);
		expect(identity({}, { duplicateKey: 'A-1' }).key).not.toBe(one.key);
	});

	it('else payer, item, amount, currency and country', () => {
		const one = identity();
		expect(one).toMatchObject({ by: 'values', values: null });
		expect(identity({ payer: [' 254712345678 '], item: ' Rent ' }).key).toBe(one.key);
		const others: Array<Partial<Payment>> = [
			{ payer: ['254712345679'] },
			{ item: 'Rent May' },
			{ amount: '100.5' },
			{ currency: 'UGX' },
			{ countryId: 11 },
		];
		for (const other of others) expect(identity(other).key).not.toBe(one.key);
	});

	it.each([
		'http://a.example/api',
		'https://A.example:443/api/',
		'HTTPS://a.example/api',
		' https://a.example/api// ',
	])('within one account, however its address is written: %s', (baseUrl) => {
		expect(identity({}, {}, { baseUrl }).key).toBe(identity().key);
	});

	it('and not over accounts or operations', () => {
		expect(identity({}, {}, { clientId: 'd' }).key).not.toBe(identity().key);
		expect(identity({}, {}, { baseUrl: 'https://b.example/api' }).key).not.toBe(identity().key);
		expect(identity({}, {}, {}, '/other').key).not.toBe(identity().key);
		expect(identity({}, {}, { secretKey: 'new' }).key).toBe(identity().key);
	});

	it('is known also of rows that the user does not want to have compared', () => {
		for (const options of [
			{ duplicateProtection: false },
			{ onDuplicate: 'sendAnyway' },
			{ onDuplicate: 'sendUnanswered' },
		]) {
			expect(identity({}, options)).toEqual(identity());
		}
	});

	it('knows whether other values were sent for the same order', () => {
		const values = (payment: Partial<Payment>) =>
			identity({ orderReference: 'A-1', ...payment }).values;
		expect(values({ item: 'Other' })).toBe(values({}));
		expect(values({ amount: '7' })).not.toBe(values({}));
		expect(values({ payer: ['x'] })).not.toBe(values({}));
	});
});

it.each([
	[{}, true],
	[{ onDuplicate: 'error' }, true],
	[{ onDuplicate: 'sendUnanswered' }, true],
	[{ onDuplicate: 'sendAnyway' }, false],
	[{ duplicateProtection: false }, false],
	[{ duplicateProtection: false, onDuplicate: 'error' }, false],
])('with %j, whether a row is compared with others: %s', (options, expected) => {
	expect(isCompared(readOptions(options))).toBe(expected);
});

describe('rows of one input', () => {
	const twins = (rows: Array<[Identity | null, IDataObject]>) =>
		findTwins(
			rows.map(([each]) => each),
			(row) => rows[row]![1],
		);
	const by = (payment: Partial<Payment>): Identity => identity(payment);

	it('are the same when every column is', () => {
		expect(
			twins([
				[by({}), { a: 1, b: [2] }],
				[by({ item: 'x' }), { a: 1 }],
				[by({}), { b: [2], a: 1 }],
			]),
		).toEqual([null, null, { kind: 'same', row: 0 }]);
	});

	it('clash when they would be the same but for a column, and both are named', () => {
		expect(
			twins([
				[by({}), { a: 1, note: 'x' }],
				[by({}), { a: 1 }],
			]),
		).toEqual([
			{ kind: 'otherColumn', row: 1, column: 'note' },
			{ kind: 'otherColumn', row: 0, column: 'note' },
		]);
	});

	it('clash when they share an order and not payer and amount', () => {
		expect(
			twins([
				[by({ orderReference: 'A' }), { n: 1 }],
				[by({ orderReference: 'A', amount: '7' }), { n: 1 }],
				[by({ orderReference: 'A' }), { n: 2 }],
			]),
		).toEqual([
			{ kind: 'otherValues', row: 1 },
			{ kind: 'otherValues', row: 0 },
			{ kind: 'same', row: 0 },
		]);
	});

	it('are not compared without an identity', () => {
		expect(
			twins([
				[null, {}],
				[null, {}],
			]),
		).toEqual([null, null]);
	});
});
