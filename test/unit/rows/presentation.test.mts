import fc from 'fast-check';

import { create as createCollection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import type { CreateOperation } from '../../../nodes/UnifiedPayments/rows/operation.ts';
import { create as createLink } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';
import {
	readCredential,
	type ServiceSettings,
} from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { keyOf as keyOfPayment, nameOf } from '../../../nodes/UnifiedPayments/payment/key.ts';
import { runs } from '../../helpers/runs.mts';

const RUNS = { numRuns: runs(10_000) };
const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IDENTITY = { clientId: 'c', sender: 's', secretKey: 'k' };
const credential = readCredential({ baseUrl: 'https://a.example', ...IDENTITY });
const files = { binary: async () => null, shared: <T,>(_: unknown, make: () => T) => make() };

async function keyOf(
	operation: CreateOperation,
	raw: object,
	settings: Partial<ServiceSettings> = {},
): Promise<string> {
	const given = { ...credential, ...settings };
	const { payment } = await operation.prepare({ ...raw }, given, files, true);
	const name = nameOf(credential, operation.path, null, payment.orderReference);
	return keyOfPayment(credential, operation.path, name, payment).key;
}

const spaces = fc.constantFrom('', ' ', '  ', '\t');
const urls = fc.constantFrom('', 'https://a.example/h', 'https://b.example/h?x=1#y');
const formats = fc.constantFrom('international' as const, 'e164' as const);

/** The ways in which people write the Kenyan number with these nine digits. */
const notation = (digits: string) =>
	fc.constantFrom(
		`0${digits}`,
		`+254${digits}`,
		`254${digits}`,
		digits,
		`00254 ${digits}`,
		`0${digits.slice(0, 3)}-${digits.slice(3)}`,
	);
const numbers = fc.nat({ max: 99_999_999 }).map((n) => `7${String(n).padStart(8, '0')}`);
const amounts = fc.integer({ min: 1, max: 10_000_000 }).map((n) => n / 100);
const orders = fc.oneof(fc.constant(''), fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/));

interface Paid {
	number: string;
	amount: number;
	order: string;
	item: string;
}
const payments: fc.Arbitrary<Paid> = fc.record({
	number: numbers,
	amount: amounts,
	order: orders,
	item: fc.stringMatching(/^[a-z]{1,8}$/),
});

const collection = ({ number, amount, order }: Paid) =>
	fc.record({
		country: fc.constantFrom('KE', 'Kenya', 1, '254'),
		amount: fc.constantFrom(amount, amount.toFixed(2), ` ${amount} `),
		mobile: notation(number),
		paymentMethodType: fc.constantFrom('', 'send money'),
		callbackUrl: urls,
		orderReference: spaces.map((space) => (order === '' ? '' : space + order + space)),
		thirdPartyReference2: fc.constantFrom('', 'x', 'y'),
	});

const link = ({ number, amount, order, item }: Paid) =>
	fc.record({
		country: fc.constantFrom('KE', 'Kenya', 1),
		amount: fc.constantFrom(amount, amount.toFixed(2)),
		businessName: fc.constantFrom('Shop', 'Shop Ltd'),
		itemName: spaces.map((space) => space + item + space),
		phone: notation(number),
		callbackUrl: urls,
		redirectionUrl: urls,
		logoBase64: fc.constantFrom('', PNG),
		orderReference: spaces.map((space) => (order === '' ? '' : space + order + space)),
	});

describe.each<[string, CreateOperation, (paid: Paid) => fc.Arbitrary<object>]>([
	['a collection', createCollection, collection],
	['a payment link', createLink, link],
])('%s', (_, operation, rows) => {
	it('is the same payment however it is presented', async () => {
		await fc.assert(
			fc.asyncProperty(
				payments.chain((paid) => fc.tuple(rows(paid), rows(paid))),
				formats,
				formats,
				async ([one, other], format, otherFormat) =>
					(await keyOf(operation, one, { mobileFormat: format })) ===
					(await keyOf(operation, other, { mobileFormat: otherFormat })),
			),
			RUNS,
		);
	}, 120_000);

	it('is never merged with another payment', async () => {
		const isOther = (a: Paid, b: Paid) => {
			if (a.order !== '' || b.order !== '') return a.order !== b.order;
			const item = operation === createLink && a.item !== b.item;
			return a.number !== b.number || a.amount !== b.amount || item;
		};
		await fc.assert(
			fc.asyncProperty(
				fc
					.tuple(payments, payments)
					.filter(([a, b]) => isOther(a, b))
					.chain(([a, b]) => fc.tuple(rows(a), rows(b))),
				async ([one, other]) => (await keyOf(operation, one)) !== (await keyOf(operation, other)),
			),
			RUNS,
		);
	}, 120_000);
});
