import type { INodeProperties } from 'n8n-workflow';

import { isStated } from '../payment/compare';
import { InputError, type FieldIssue } from './inputError';

/** The raw values of one row, by parameter name, before they are checked. */
export type RawFields = Record<string, unknown>;

/** The result of reading a field: its value, or what is wrong and what is allowed. */
export type Read<T> = { ok: true; value: T } | { ok: false; reason: string; allowed: string };

export const good = <T>(value: T): Read<T> => ({ ok: true, value });

/** `reason` completes "'Amount' in row 3 is "x", …"; `allowed` says how to get going again. */
export const bad = (reason: string, allowed: string): Read<never> => ({
	ok: false,
	reason,
	allowed,
});

/** Cannot be checked until another field is good; that other field is the one to report. */
const UNASKED: Read<never> = good(undefined as never);

/** Adds a check, for values that passed the ones before. */
export const and = <A, B>(read: Read<A>, next: (value: A) => Read<B>): Read<B> => {
	if (read === UNASKED) return UNASKED;
	return read.ok ? next(read.value) : read;
};

/** A check that needs another field: when that one is bad, it alone is reported. */
export const given = <A, B>(other: Read<A>, next: (value: A) => Read<B>): Read<B> =>
	other.ok ? and(other, next) : UNASKED;

/** A field of the editor, and the reader of its value. */
export interface Field<T> {
	property: INodeProperties;
	read(given: unknown): Read<T>;
	/** What a blank field means; without it, the reader looks at blanks as well. */
	blank?: { value: T };
}

/** Empty means "left out". So does what nobody sees. */
export const isBlank = (given: unknown): boolean =>
	given === undefined ||
	given === null ||
	// Most cells have a plain letter or digit.
	(typeof given === 'string' && !/[!-~]/.test(given) && !isStated(given));

/** Characters that nobody sees, and those that turn the direction of what stands beside them. */
const INVISIBLE = /[\p{Format}\p{Default_Ignorable_Code_Point}]/u;

/** Refuses what nobody sees: what a person approves must be what is charged. */
export const visible = (given: unknown): Read<unknown> =>
	typeof given === 'string' && INVISIBLE.test(given)
		? bad(
				'which holds a character that nobody sees',
				'Empty the cell or field, and type the value by hand: copied text may bring such characters along.',
			)
		: good(given);

/** A value that can be read in two ways: it is refused, whichever field it is for. */
export class UnclearValue {
	constructor(
		readonly given: unknown,
		readonly reason: string,
		readonly allowed: string,
	) {}
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;
export type Values<F extends Fields> = { [Name in keyof F]: ValueOf<F[Name]> };

/** What each field's own reader found, good or bad, so that checks across fields see every field. */
type Reads<F extends Fields> = { [Name in keyof F]: Read<ValueOf<F[Name]>> };

export const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.values(fields).map(({ property }) => property);

export function readEach<F extends Fields>(fields: F, raw: RawFields): Reads<F> {
	const reads: Record<string, Read<unknown>> = {};
	for (const [name, { read, blank }] of Object.entries(fields)) {
		const given = raw[name];
		reads[name] = blank && isBlank(given) ? good(blank.value) : read(given);
	}
	return reads as Reads<F>;
}

type ReadValues<R> = { [Name in keyof R]: R[Name] extends Read<infer T> ? T : never };

/** The values of fields that were read one by one, or an InputError with every finding at once. */
export function collect<R extends Record<string, Read<unknown>>>(
	reads: R,
	typed: RawFields,
): ReadValues<R> {
	const values: RawFields = {};
	const issues: FieldIssue[] = [];
	for (const [field, read] of Object.entries(reads)) {
		const given = typed[field];
		if (given instanceof UnclearValue) issues.push({ field, ...given });
		else if (read.ok) values[field] = read.value;
		else issues.push({ field, given, reason: read.reason, allowed: read.allowed });
	}
	if (issues.length > 0) throw new InputError(issues as [FieldIssue, ...FieldIssue[]]);
	return values as ReadValues<R>;
}

/** The values of all fields, or an InputError with everything that is wrong. */
export const readFields = <F extends Fields>(fields: F, raw: RawFields): Values<F> =>
	collect(readEach(fields, raw) as Record<string, Read<unknown>>, raw) as Values<F>;

/** An empty optional field is left out, never sent as "" or null. */
export const withoutBlanks = (params: RawFields): RawFields =>
	Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));

/** What workflows may save; the first is the default. */
type Choices = readonly [string, ...string[]];

/** A list of the editor whose default is that of its reader. */
export const choiceProperty = (
	[first]: Choices,
	property: Omit<INodeProperties, 'type' | 'default'>,
): INodeProperties => ({ ...property, type: 'options', default: first });

export const choiceField = <const Words extends Choices>(
	allowed: Words,
	property: Omit<INodeProperties, 'type' | 'default'>,
): Field<Words[number]> => ({
	property: choiceProperty(allowed, property),
	blank: { value: allowed[0] },
	read(given) {
		const found = allowed.find((each) => each === given);
		return found === undefined
			? bad('which is not a choice', `Choose one of ${allowed.join(', ')}.`)
			: good(found);
	},
});
