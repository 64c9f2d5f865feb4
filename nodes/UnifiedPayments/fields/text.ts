import { z } from 'zod';

import { findCountry, countriesOf, currenciesOf, type CountryTable } from '../countries/lookup';
import type { Country } from '../countries/data';
import { parseUrl } from '../protocol/url';
import { readAmount } from './amount';
import { bad, good, type Read } from './read';

/** Everything an operation is given for one row, by parameter name, not yet believed. */
export type RawFields = Record<string, unknown>;

/** The part of zod's refinement context that its versions 3 and 4 share. */
interface IssueSink {
	addIssue(issue: {
		code: 'custom';
		message: string;
		params: { allowed: string };
		path?: Array<string | number>;
	}): void;
}

/** Turns a reader into a zod type, so that schemas speak of fields and readers of values. */
export const readWith = <T>(reader: (given: unknown) => Read<T>) =>
	z.unknown().transform((given, context): T => unwrap(reader(given), context));

/** Keeps what a reader found, good or bad, so that checks across fields see every field. */
export const kept = <T>(reader: (given: unknown) => Read<T>) => z.unknown().transform(reader);

/** Reports on `path`, and stops the parse. */
export function unwrap<T>(read: Read<T>, sink: IssueSink, path?: string): T {
	if (read.ok) return read.value;
	sink.addIssue({
		code: 'custom',
		message: read.reason,
		params: { allowed: read.allowed },
		...(path === undefined ? {} : { path: [path] }),
	});
	return z.NEVER;
}

/** Empty in the editor means "left out": never sent as "" or null. */
export const isBlank = (given: unknown): boolean =>
	given === undefined || given === null || (typeof given === 'string' && given.trim() === '');

/** The same reader, with blank allowed. */
export const maybe =
	<T>(reader: (given: unknown) => Read<T>) =>
	(given: unknown): Read<T | undefined> =>
		isBlank(given) ? good(undefined) : reader(given);

export const optional = <T>(reader: (given: unknown) => Read<T>) => readWith(maybe(reader));

const TEXT_LIMIT = 10_000;

export function readText(given: unknown): Read<string> {
	if (typeof given === 'number' || typeof given === 'boolean') return good(String(given));
	if (typeof given !== 'string') return bad('which is not text', 'Give plain text.');
	if (given.trim() === '') return bad('but a value is needed', 'Fill in this field.');
	if (given.length > TEXT_LIMIT) {
		return bad('which is too long', `Give at most ${TEXT_LIMIT} characters.`);
	}
	if (/\p{Surrogate}/u.test(given)) {
		return bad('which holds half of a character', 'Type or paste the text anew.');
	}
	return good(given);
}

export function readUrl(given: unknown): Read<string> {
	const allowed = 'Give a whole address that begins with https:// or http://.';
	if (typeof given !== 'string') return bad('which is not a web address', allowed);
	const text = given.trim();
	const url = parseUrl(text);
	if (!url || !/^https?:\/\/[^/\s]/i.test(text) || /\s/.test(text)) {
		return bad('which is not a web address', allowed);
	}
	return good(text);
}

export function readEmail(given: unknown): Read<string> {
	const parsed = z.string().trim().email().safeParse(given);
	return parsed.success
		? good(parsed.data)
		: bad('which is not an e-mail address', 'Give one address, e.g. amina@example.com.');
}

export function readInteger(given: unknown): Read<number> {
	const text = typeof given === 'string' ? given.trim() : given;
	const value = typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text;
	return typeof value === 'number' && Number.isSafeInteger(value)
		? good(value)
		: bad('which is not a whole number', 'Give a whole number, e.g. 1001.');
}

export const readCountry =
	(table: CountryTable) =>
	(given: unknown): Read<Country> => {
		const country = findCountry(given);
		if (!country) {
			return isBlank(given)
				? bad('but a country is needed', oneOf(table))
				: bad('which is not a country of this service', oneOf(table));
		}
		if (table === 'collections' && !country.collections) {
			return bad('where collections are not offered', oneOf(table));
		}
		return good(country);
	};

const oneOf = (table: CountryTable): string => {
	const names = countriesOf(table).map(
		(country) => `${country.name} (${country.iso2}, id ${country.id})`,
	);
	return `Choose one of ${names.join(', ')}.`;
};

/** `auto` is the country's own currency. */
export function readCurrency(given: unknown): Read<string> {
	const code = typeof given === 'string' ? given.trim() : given;
	if (isBlank(code) || code === 'auto') return good('auto');
	const known = currenciesOf('paymentLinks');
	const upper = String(code).toUpperCase();
	return typeof code === 'string' && known.includes(upper)
		? good(upper)
		: bad('which is not a currency of this service', `Choose one of ${known.join(', ')}.`);
}

/** One of the given words; blank is the first. */
export const choice = <T extends string>(...allowed: [T, ...T[]]) =>
	readWith((given): Read<T> => {
		if (isBlank(given)) return good(allowed[0]);
		const found = allowed.find((each) => each === given);
		return found === undefined
			? bad('which is not a choice', `Choose one of ${allowed.join(', ')}.`)
			: good(found);
	});

export const country = (table: CountryTable) => readWith(readCountry(table));
export const currency = readWith(readCurrency);
export const amount = readWith(readAmount);
export const text = readWith(readText);
export const optionalText = optional(readText);
export const optionalUrl = optional(readUrl);
export const optionalEmail = optional(readEmail);
export const optionalInteger = optional(readInteger);
