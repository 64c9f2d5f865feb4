import { COUNTRIES, type Country } from '../countries/data';
import { LONGEST } from '../protocol/limits';
import { MOBILE_FORMATS, type MobileFormat } from '../protocol/credential';
import { and, bad, good, visible, type Read } from './field';
import { asGiven, optionalTextField, requiredTextField } from './text';

/** Like `+`, `00` and points between groups: ways of writing, not part of a number. */
const WRITING = /[\s()/_\p{Dash}]/gu;

/** Also with the digits of other keyboards. */
const withoutWriting = (text: string): string => text.normalize('NFKC').replace(WRITING, '');

/** Digits, then one mark with zeros or a single digit behind it: no group of a phone number. */
const DECIMALS = /^[^.,]*\d[.,](?:0+|\d)$/;
const EXPONENT = /^\d+(?:[.,]\d+)?e\+?\d+$/i;

/** Brings a mobile number of `country` to the wanted form. */
export const readMobile = (
	given: unknown,
	country: Country,
	format: MobileFormat = MOBILE_FORMATS[0],
): Read<string> => and(visible(given), () => readVisible(given, country, format));

function readVisible(given: unknown, country: Country, format: MobileFormat): Read<string> {
	const typed = typeof given === 'number' ? String(given) : given;
	if (typeof typed !== 'string' || typed.length > LONGEST.phone) {
		return bad('which is not a phone number', allowedIn(country));
	}
	if (format === 'asEntered') return asEntered(typed, country);

	const written = withoutWriting(typed);
	const spoilt = sheetNumber(given, written, country);
	if (spoilt) return spoilt;

	const digits = written.replaceAll('.', '');
	const marked = /^(?:\+|00)(\d+)$/.exec(digits);
	const international = marked
		? fromInternational(marked[1] ?? '', country)
		: fromHome(digits, country);
	if (international) return good(format === 'e164' ? `+${international}` : international);

	const other = owner(marked?.[1] ?? digits, country);
	if (other) {
		return bad(
			`which is a number of ${other.name}, not of ${country.name}`,
			`${insteadOf(other, country)} ${allowedIn(country)}`,
		);
	}
	return bad(`which is not a mobile number of ${country.name}`, allowedIn(country));
}

/** A plus or zeros, then groups of digits. A second number, an extension or a name are no part of one. */
const ONE_NUMBER = /^(?:\(?\+)?[\d\s().\p{Dash}]*$/u;

/**
 * For a number that is only filled in for the customer: one of the country is brought to the wanted
 * form, and a whole number of any other country, or a landline, is passed on as it is.
 */
export function readPhone(given: unknown, country: Country, format?: MobileFormat): Read<string> {
	const read = readMobile(given, country, format);
	const isText = typeof given === 'string' || typeof given === 'number';
	if ((read.ok && format !== 'asEntered') || !isText || !visible(given).ok) return read;
	const text = String(given).normalize('NFKC');
	const spoilt = sheetNumber(given, withoutWriting(text), country);
	if (spoilt) return spoilt;
	const { length } = digitsOf(text);
	if (text.length <= LONGEST.phone && ONE_NUMBER.test(text.trim()) && length >= 8 && length <= 15) {
		return good(format === 'asEntered' ? String(given) : text.trim());
	}
	return bad(
		'which is not one whole phone number',
		`Give one number, with 8 to 15 digits and no words. ${allowedIn(country)}`,
	);
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** What a sheet made of a phone number that it took for a quantity: its digits cannot be trusted. */
function sheetNumber(given: unknown, written: string, country: Country): Read<never> | null {
	if (EXPONENT.test(written)) {
		return bad(
			'which a sheet shortened, so that digits may be missing',
			`Format the column as text and enter the whole number again. ${allowedIn(country)}`,
		);
	}
	const fraction = typeof given === 'number' && Number.isFinite(given) && !Number.isInteger(given);
	if (!fraction && !DECIMALS.test(written)) return null;
	return bad(
		'which is a number with decimals, and may have become so in a sheet',
		`Format the column as text and leave out the decimals. ${allowedIn(country)}`,
	);
}

function asEntered(typed: string, country: Country): Read<string> {
	return typed.trim() === ''
		? bad('but a phone number is needed', allowedIn(country))
		: good(typed);
}

const allowedIn = (country: Country) =>
	`A mobile number of ${country.name} looks like ${country.mobile.example} or begins with +${country.dialCode}.`;

/** Without a country that would be refused next: only collections are this strict about a number. */
const insteadOf = (other: Country, country: Country): string =>
	other.collections?.supported
		? `Choose ${other.name}, or give a ${country.name} number.`
		: `Give a ${country.name} number. In ${other.name} customers can pay by payment link.`;

/** A number written as dialled at home, or with the dial code but no plus. */
const fromHome = (digits: string, country: Country): string | null =>
	national(digits, country) ?? fromInternational(digits, country);

function fromInternational(digits: string, country: Country): string | null {
	if (!digits.startsWith(country.dialCode)) return null;
	return national(digits.slice(country.dialCode.length), country);
}

/** Dial code and national number, from a national number with or without its leading zero. */
function national(digits: string, country: Country): string | null {
	const { pattern, trunkZero } = country.mobile;
	const candidates = [digits, trunkZero ? digits.replace(/^0/, '') : `0${digits}`];
	const number = candidates.find((candidate) => pattern.test(candidate));
	return number === undefined ? null : country.dialCode + number;
}

/** The other country of the tables that a number with a dial code belongs to, if any. */
const owner = (digits: string, country: Country): Country | undefined =>
	COUNTRIES.find((other) => other !== country && fromInternational(digits, other) !== null);

/** The digits by which a payer is known again, with the dial code, however the number is written or sent. */
export function payerNumber(given: unknown, country: Country): string {
	const read = readMobile(given, country);
	if (read.ok) return read.value;
	const { dialCode } = country;
	const digits = digitsOf(String(given).normalize('NFKC')).replace(/^00/, '');
	const atHome = digits.startsWith(dialCode) ? digits.slice(dialCode.length) : digits;
	return dialCode + atHome.replace(/^0/, '');
}

/** Read with `readMobile`, once the country is known. */
export const mobileField = requiredTextField(
	{
		displayName: 'Mobile',
		name: 'mobile',
		placeholder: 'e.g. 0712 345678',
		hint: 'The customer receives a verification token here, and must verify it to pay',
		description:
			"The customer's mobile number, with or without the dial code, spaces and a leading zero",
	},
	asGiven,
);

/** Read with `readPhone`, once the country of the payer is known. */
export const phoneField = optionalTextField(
	{
		displayName: 'Customer Phone',
		name: 'phone',
		placeholder: 'e.g. 0712 345678',
		description:
			'Filled in for the customer on the payment page. A number of the country may be written as people do. A whole number of any other country is passed on as it is.',
	},
	asGiven,
);
