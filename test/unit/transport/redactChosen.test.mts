import fc from 'fast-check';

import { Redactor, withoutTokens } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { runs } from '../../helpers/runs.mts';

/** The user's own word, which is also the beginning of every reference. */
const SHOP = 'aminashop';
const LONG = 'canary/callback+token=3';

const redactor = (token: unknown, ...issued: unknown[]) => {
	const made = new Redactor();
	made.add(issued, [token]);
	return made;
};

describe('data is never broken by a callback token', () => {
	it.each([
		'aminashop-1042',
		'1042-aminashop',
		'aminashop1042',
		'aminashop/1042',
		'aminashop 1042',
		'Order 7 of aminashop',
		'https://aminashop.example.com/aminashop/1?shop=aminashop-2&x=xaminashop#aminashop',
		'amina@aminashop.example',
		'{"ref":"aminashop-1042"}',
		'Aminashop',
		'token',
	])('%s', (value) => {
		const data = { note: value, list: [value], nested: { deep: [{ value }] } };
		expect(redactor(SHOP).deep(data)).toEqual(data);
	});

	it.each([
		'aminashop-payments-1042',
		'https://aminashop-payments.example.com/a',
		'xaminashop-payments',
	])('nor by a long one: %s', (value) => {
		expect(redactor('aminashop-payments').deep({ value })).toEqual({ value });
	});

	it.each([
		['success', { state: 'success', status: 'success', status_code: 'success' }],
		['accepted', { outcome: 'accepted' }],
		['150000', { amount: '150000', fee: '150000', balance: '150000' }],
		[
			'aminashop',
			{
				ref: SHOP,
				reference: SHOP,
				id: SHOP,
				transaction_id: SHOP,
				transaction_reference: SHOP,
				third_party_reference_1: SHOP,
				third_party_reference_2: SHOP,
				orderReference: SHOP,
				order_reference: SHOP,
				eventKey: SHOP,
			},
		],
	])('nor where it decides something: %s', (token, data) => {
		expect(redactor(token).deep(data)).toEqual(data);
	});

	it('nor in the parameters of an address by a short one', () => {
		const link = 'https://pay.example.com/?page=1&token=2';
		expect(redactor('1').deep({ link })).toEqual({ link });
	});

	it("nor is a payment link's own token", () => {
		const link = 'https://pay.example.com/l?token=f00d&x=1';
		expect(redactor(SHOP).deep({ link, payment_url: link })).toEqual({ link, payment_url: link });
	});

	it('for any reference that holds more than the token', () => {
		const around = fc.stringMatching(/^[\w-]{1,8}$/);
		const token = fc.stringMatching(/^[a-z]{6,24}$/);
		fc.assert(
			fc.property(token, around, around, (secret, before, after) => {
				const values = [`${before}${secret}`, `${secret}${after}`, `${before}${secret}${after}`];
				const data = Object.fromEntries(values.map((value, nth) => [`field_${nth}`, value]));
				expect(redactor(secret).deep(data)).toEqual(data);
			}),
			{ numRuns: runs(2000) },
		);
	});
});

describe('a callback token is masked where it stands as a secret', () => {
	it.each([
		['a whole value', 'aminashop', '***'],
		['a whole value with space around it', ' aminashop\n', '***'],
		[
			'a parameter',
			'https://a.example/h?x=1&token=aminashop#f',
			'https://a.example/h?x=1&token=***#f',
		],
		['a parameter of any name', '/h?key=aminashop&x=1', '/h?key=***&x=1'],
		['an escaped parameter', '/h?token=%61minasho%70', '/h?token=***'],
		['a parameter with an escaped name', '/h?%74oken=aminashop', '/h?%74oken=***'],
		['a form', 'token=aminashop&x=1', 'token=***&x=1'],
		['an address in a sentence', 'See /h?token=aminashop.', 'See /h?token=***.'],
		[
			'an address inside a parameter',
			'/go?to=https%3A%2F%2Fa%2Fh%3Ftoken%3Daminashop%26x%3D1&y=2',
			'/go?to=https%3A%2F%2Fa%2Fh%3Ftoken%3D***%26x%3D1&y=2',
		],
		['JSON that is said back', '{"token":"aminashop","a":1}', '{"token":"***","a":1}'],
		['JSON in JSON', '"{\\"t\\":\\"aminashop\\"}"', '"{\\"t\\":\\"***\\"}"'],
		['a header that is said back', 'X-Token: aminashop', 'X-Token: ***'],
		['a proof', 'Authorization: Bearer aminashop', 'Authorization: Bearer ***'],
	])('as %s', (_, value, expected) => {
		expect(redactor(SHOP).deep({ value, list: [value] })).toEqual({
			value: expected,
			list: [expected],
		});
	});

	it('as the name of a field', () => {
		expect(redactor(SHOP).deep({ aminashop: 1, 'aminashop-2': 2 })).toEqual({
			'***': 1,
			'aminashop-2': 2,
		});
	});

	it.each(['callback_url', 'callbackUrl', 'webhook', 'notification_url'])(
		'and any other token in %s, where it is no payment link',
		(key) => {
			const url = 'https://a.example/h?a=1&token=typed&%74oken=two#x';
			expect(redactor(null).deep({ [key]: url })).toEqual({
				[key]: 'https://a.example/h?a=1&token=***&%74oken=***#x',
			});
		},
	);

	it.each([
		['token canary/callback+token=3, again', 'token ***, again'],
		['(canary/callback+token=3)', '(***)'],
		['?token=canary%2Fcallback%2Btoken%3D3', '?token=***'],
		['?token=canary%2fcallback%2btoken%3d3', '?token=***'],
		['"canary\\/callback+token=3"', '"***"'],
	])('a long one also as a word of data: %s', (value, expected) => {
		expect(redactor(LONG).deep(value)).toBe(expected);
	});

	it('short ones only where they are called so', () => {
		const made = redactor('abc');
		expect(made.deep({ a: 'abc', link: '/h?token=abc&x=abc' })).toEqual({
			a: 'abc',
			link: '/h?token=***&x=abc',
		});
	});

	it('when several accounts are known, each', () => {
		const made = redactor(SHOP);
		made.add([], ['other-shop']);
		expect(made.deep(['aminashop', 'other-shop', 'other-shop-1'])).toEqual([
			'***',
			'***',
			'other-shop-1',
		]);
	});

	it('wherever an address carries it, for any token', () => {
		const token = fc.string({ unit: 'grapheme', minLength: 6 });
		fc.assert(
			fc.property(token, (secret) => {
				fc.pre(secret.trim() === secret && !/[.,;:!)\]}]$/.test(secret));
				const url = `https://a.example/h?x=1&token=${encodeURIComponent(secret)}&y=2`;
				expect(redactor(secret).deep({ link: url, list: [secret] })).toEqual({
					link: 'https://a.example/h?x=1&token=***&y=2',
					list: ['***'],
				});
			}),
			{ numRuns: runs(2000) },
		);
	});
});

describe('messages', () => {
	it.each([
		['The token aminashop is wrong', 'The token *** is wrong'],
		['"aminashop", (aminashop): aminashop.', '"***", (***): ***.'],
		['No transaction "aminashop-1042"', 'No transaction "aminashop-1042"'],
		['aminashops and myaminashop', 'aminashops and myaminashop'],
		['See https://a.example/?token=typed&x=1', 'See https://a.example/?token=***&x=1'],
	])('%s', (text, expected) => {
		expect(redactor(SHOP).text(text)).toBe(expected);
	});
});

describe('what the service issued', () => {
	const KEY = 'k3y-0f-the-service';

	it.each([`${KEY}-1042`, `x${KEY}y`, `?a=${KEY}`, `{"ref":"${KEY}"}`])(
		'is masked wherever it stands: %s',
		(value) => {
			const made = redactor(SHOP, KEY);
			expect(JSON.stringify(made.deep({ ref: value, [value]: 1, list: [value] }))).not.toContain(
				KEY,
			);
			expect(made.text(value)).not.toContain(KEY);
		},
	);

	it('also when it is the callback token as well', () => {
		expect(redactor(KEY, KEY).deep({ ref: `${KEY}-1` })).toEqual({ ref: '***-1' });
	});
});

it('a long hostile text costs little time', () => {
	const made = redactor(SHOP);
	const hostile = [
		`${' '.repeat(300_000)}aminashop`,
		`aminashop${'?a='.repeat(100_000)}`,
		`aminashop?a=${'%25'.repeat(100_000)}`,
		`${'"aminashop'.repeat(30_000)}`,
	];
	const began = Date.now();
	hostile.forEach((each) => [made.deep(each), made.text(each)]);
	expect(Date.now() - began).toBeLessThan(5000);
});

it('tokens of addresses are masked in what nobody needs to read on', () => {
	expect(withoutTokens('/h?token=a&x=token=b&%74oken=c#token=d')).toBe(
		'/h?token=***&x=token=b&%74oken=***#token=d',
	);
});
