import fc from 'fast-check';
import {
	getExampleNumber,
	parsePhoneNumberFromString,
	type CountryCode,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

import { COUNTRIES, type Country } from '../../../nodes/UnifiedPayments/countries/data.ts';
import {
	payerNumber,
	readMobile,
	readPhone,
} from '../../../nodes/UnifiedPayments/fields/mobile.ts';

/** As the specification's table marks them. */
const COLLECTED = ['KE', 'TZ', 'UG', 'ZM', 'SL'];

/** No country that is refused next. */
const insteadOf = (other: Country, { name }: Country) =>
	COLLECTED.includes(other.iso2)
		? `Choose ${other.name}, or give a ${name} number.`
		: `Give a ${name} number. In ${other.name} customers can pay by payment link.`;

const RUNS = { numRuns: 10_000 };

/** Said with every refusal. */
const hintOf = ({ name, mobile, dialCode }: Country) =>
	`A mobile number of ${name} looks like ${mobile.example} or begins with +${dialCode}.`;

const countryOf = (iso2: string) => COUNTRIES.find((country) => country.iso2 === iso2)!;
const nationalExample = ({ iso2 }: Country) =>
	String(getExampleNumber(iso2 as CountryCode, examples)?.nationalNumber);

/** National numbers that the oracle calls mobile: one for each of the 10,000 possible beginnings. */
function mobilesOf(country: Country): string[] {
	const { length } = nationalExample(country);
	const found: string[] = [];
	for (let prefix = 0; prefix < 10_000; prefix++) {
		const rest = String((prefix * 7919 + 123_457) % 10 ** (length - 4)).padStart(length - 4, '0');
		const national = String(prefix).padStart(4, '0') + rest;
		const number = parsePhoneNumberFromString(`+${country.dialCode}${national}`);
		const type = number?.getType();
		const mobile = type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
		// The oracle forgives some zeros; what counts is a number that it leaves as it is.
		if (mobile && number?.nationalNumber === national) found.push(national);
	}
	return found;
}

const spaced = (digits: string, mark: string) => digits.replace(/(\d{3})(?=\d)/g, `$1${mark}`);

/** Every way in which people and spreadsheets write a number. */
function writingsOf(national: string, { dialCode, mobile }: Country): unknown[] {
	const international = dialCode + national;
	const { trunkZero } = mobile;
	const home = trunkZero ? `0${national}` : national;
	return [
		`+${international}`,
		`00${international}`,
		international,
		Number(international),
		`+${dialCode} ${spaced(national, ' ')}`,
		`+${dialCode}-${spaced(national, '-')}`,
		`00 ${dialCode} ${spaced(national, '.')}`,
		`(+${dialCode}) ${spaced(national, '\u00a0')}`,
		home,
		spaced(home, ' '),
		`  ${spaced(home, '‑')}  `,
		// What a spreadsheet leaves of a number that begins with a zero.
		Number(home),
		String(Number(home)),
		...(trunkZero ? [`+${dialCode} (0) ${national}`, `+${dialCode}0${national}`] : []),
	];
}

describe.each(COUNTRIES.map((country): [string, Country] => [country.name, country]))(
	'mobile numbers of %s',
	(_, country) => {
		const mobiles = mobilesOf(country);

		it("are read to the oracle's digits, however they are written", () => {
			const wrong = mobiles.flatMap((national) =>
				writingsOf(national, country).flatMap((written) => {
					const read = readMobile(written, country);
					return read.ok && read.value === country.dialCode + national ? [] : [{ written, read }];
				}),
			);
			expect(wrong.slice(0, 5)).toEqual([]);
		});

		it('are given in the form that is asked for', () => {
			const national = mobiles[0]!;
			const international = country.dialCode + national;
			const written = `+${country.dialCode} ${spaced(national, ' ')}`;
			for (const [form, value] of [
				['international', international],
				['e164', `+${international}`],
				['asEntered', written],
			] as const) {
				expect(readMobile(written, country, form)).toEqual({ ok: true, value });
			}
		});

		it("are not another country's", () => {
			for (const other of COUNTRIES.filter((each) => each !== country)) {
				const international = other.dialCode + nationalExample(other);
				const reason = `which is a number of ${other.name}, not of ${country.name}`;
				const allowed = `${insteadOf(other, country)} ${hintOf(country)}`;
				for (const written of [`+${international}`, `00${international}`, international]) {
					const refused = [written, { ok: false, reason, allowed }];
					expect([written, readMobile(written, country)]).toEqual(refused);
				}
			}
		});

		it('are neither too short nor too long', () => {
			const national = mobiles[0]!;
			for (const digits of [`${national}1`, national.slice(0, -1)]) {
				expect(readMobile(`+${country.dialCode}${digits}`, country).ok).toBe(false);
			}
		});
	},
);

it('a number that was read is read to itself', () => {
	const given = fc.constantFrom(...COUNTRIES).chain((country) => {
		const national = nationalExample(country);
		const writings = fc.oneof(
			fc.constantFrom(...writingsOf(national, country)),
			fc.string({ unit: fc.constantFrom(...'0123456789+ -()'), maxLength: 16 }),
			fc
				.nat({ max: 10 ** 8 - 1 })
				.map((tail) => national.slice(0, 2) + String(tail).slice(0, national.length - 2)),
		);
		return fc.tuple(fc.constant(country), writings);
	});
	fc.assert(
		fc.property(given, ([country, written]) => {
			const read = readMobile(written, country);
			if (!read.ok) return true;
			const again = readMobile(read.value, country);
			const e164 = readMobile(written, country, 'e164');
			const fromE164 = e164.ok ? readMobile(e164.value, country) : e164;
			return (
				read.value.startsWith(country.dialCode) &&
				[again, fromE164].every((each) => each.ok && each.value === read.value)
			);
		}),
		RUNS,
	);
});

describe('readMobile', () => {
	const kenya = countryOf('KE');
	const allowed = 'A mobile number of Kenya looks like 0712 345678 or begins with +254.';
	const refused = (reason: string, advice = allowed) => ({ ok: false, reason, allowed: advice });

	it.each<[unknown]>([[null], [undefined], [true], [{}], [['0712345678']], [10n]])(
		'refuses %p, which is no text',
		(given) => {
			const none = refused('which is not a phone number');
			expect(readMobile(given, kenya)).toEqual(none);
			expect(readMobile(given, kenya, 'asEntered')).toEqual(none);
		},
	);

	it.each([
		...['', 'abc', '0712 34567x', '0712345678 ext 5', '+0712345678', '++254712345678'],
		...['254+712345678', '0712345678;0712345679', '٠٧١٢٣٤٥٦٧٨', '+44 7400 123456', '020 2222222'],
		...['00712345678', '0712\u0000345678', Number.NaN, -712345678e3],
	])('refuses %j, which is no mobile number there', (given) => {
		expect(readMobile(given, kenya)).toEqual(refused('which is not a mobile number of Kenya'));
	});

	it.each<[string, unknown[]]>([
		// Without the point, each of these would be the number of somebody else.
		['KE', ['71234567.0', '071234567.0', '25471234567.0', '+254 7123 4567.0 ']],
		['KE', ['71234567. 0', 71234567.5, 712345.678, '71234567,0', '254712345678.0', 7.5]],
		['NG', ['80212345.00']],
		['SL', ['71234567.0']],
	])('refuses numbers of %s with decimals: %j', (iso2, all) => {
		const reason = 'which is a number with decimals, and may have become so in a sheet';
		const advice = /^Format the column as text .* A mobile number of /;
		for (const given of all) {
			const read = readMobile(given, countryOf(iso2));
			expect(read).toEqual(refused(reason, expect.stringMatching(advice) as string));
		}
	});

	it.each(['7.1234567E8', '7,12E+08', '2.54712345678e+11', '254E9'])(
		'refuses %s, which a sheet shortened',
		(given) => {
			const reason = 'which a sheet shortened, so that digits may be missing';
			const advice = `Format the column as text and enter the whole number again. ${allowed}`;
			expect(readMobile(given, kenya)).toEqual(refused(reason, advice));
		},
	);

	it.each(['0712.345.678', '0712.345678', '254.712345678', '07.12.34.56.78', '0712.34.56.70'])(
		'reads points between groups: %s',
		(given) => {
			expect(readMobile(given, kenya).ok).toBe(true);
		},
	);

	it('never throws, and says why it refuses', () => {
		const anything = fc.oneof(
			fc.string({ unit: fc.constantFrom(...'0123456789+ -().,eE'), maxLength: 18 }),
			fc.string(),
			fc.double(),
			fc.anything({ maxDepth: 1 }),
		);
		fc.assert(
			fc.property(anything, fc.constantFrom(...COUNTRIES), (given, country) => {
				const read = readMobile(given, country);
				return read.ok ? /^\d+$/.test(read.value) : read.reason !== '' && read.allowed !== '';
			}),
			RUNS,
		);
	});

	it.each([
		['BJ', '0195123456', '2290195123456'],
		['CI', '0712345678', '2250712345678'],
		['CM', '0671234567', undefined],
		['SN', '0771234567', undefined],
		['BJ', '00195123456', undefined],
		['CI', '00712345678', undefined],
	])('in %s, where nobody dials a zero, %s is read with it or not at all', (iso2, given, value) => {
		const read = readMobile(given, countryOf(iso2));
		expect(read.ok ? read.value : undefined).toBe(value);
	});

	it('sends what was entered when the user says so, unless it is nothing', () => {
		const read = (given: unknown) => readMobile(given, kenya, 'asEntered');
		expect(read(' any thing ')).toEqual({ ok: true, value: ' any thing ' });
		expect(read(254712345678)).toEqual({ ok: true, value: '254712345678' });
		expect(read('  ')).toEqual(refused('but a phone number is needed'));
	});
});

it.each(['0712\u200b345678', '07\u202e87654321', '0712\u00ad345678', '\u202a+254712345678\u202c'])(
	'refuses %j, of which nobody sees all',
	(given) => {
		const reason = 'which holds a character that nobody sees';
		for (const format of ['international', 'e164', 'asEntered'] as const) {
			expect(readMobile(given, countryOf('KE'), format)).toMatchObject({ ok: false, reason });
			expect(readPhone(given, countryOf('KE'), format)).toMatchObject({ ok: false, reason });
		}
	},
);

describe('the phone of a link', () => {
	const phone = (given: unknown, format?: 'asEntered') => {
		const read = readPhone(given, countryOf('KE'), format);
		return read.ok ? read.value : read.reason;
	};

	it.each<[unknown, string]>([
		['0712 345678', '254712345678'],
		[712345678, '254712345678'],
		['020 1234567', '020 1234567'],
		['+44 20 7946 0000', '+44 20 7946 0000'],
		['(+44) 20-7946.00.00', '(+44) 20-7946.00.00'],
		['256772123456', '256772123456'],
		[442079460000, '442079460000'],
	])('%j is passed on as %j', (given, expected) => {
		expect(phone(given)).toBe(expected);
	});

	it.each<[string, unknown[]]>([
		[
			'which is not one whole phone number',
			[
				...['0712345', 'O722333451', '0722333448 / 0733444555', '0722333448,0733444555', 1234567],
				...['1'.repeat(16), 'ask her', 'tel:020 1234567', '020 1234567 ext 5', '+25471234567 +1'],
			],
		],
		['which a sheet shortened, so that digits may be missing', ['7.12E+08']],
		['which is a number with decimals, and may have become so in a sheet', ['20123456.0']],
		['which is not a phone number', [true, null, {}, ['0712345678']]],
	])('is refused, %s: %j', (reason, all) => {
		for (const given of all) expect([given, phone(given)]).toEqual([given, reason]);
	});

	it('is passed on as it was entered when the user says so, if it can be one', () => {
		expect(phone(' 0712 345678', 'asEntered')).toBe(' 0712 345678');
		expect(phone('0712345', 'asEntered')).toBe('which is not one whole phone number');
	});
});

it.each([
	['KE', '0712 345678', ['+254712345678', 712345678, '０７１２345678', '0712_345678']],
	['KE', '020 1234567', ['020-123-4567', '+254 20 1234567', '00254 (0)20.123.4567']],
	['KE', '+44 20 7946 0000', ['0044 20 7946 0000', '442079460000']],
	['CI', '27 20 12 34 56', ['+225 2720123456', '2252720123456']],
])('in %s, %s is the same payer as each of %j, and no other', (iso2, given, others) => {
	const payer = (each: unknown) => payerNumber(each, countryOf(iso2));
	expect(others.map(payer)).toEqual(others.map(() => payer(given)));
	expect(['020 1234568', '+44 20 7946 0001', '01234567'].map(payer)).not.toContain(payer(given));
});
