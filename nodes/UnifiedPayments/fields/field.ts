import type { INodeProperties } from 'n8n-workflow';

import { collect } from './inputError';
import type { Read } from './read';

/** Everything an operation is given for one row, by parameter name, not yet believed. */
export type RawFields = Record<string, unknown>;

/** A field of the editor, and the reader of its value. */
export interface Field<T> {
	property: INodeProperties;
	read(given: unknown): Read<T>;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** What each field's own reader found, good or bad, so that checks across fields see every field. */
export type Reads<F extends Fields> = { [Name in keyof F]: ReturnType<F[Name]['read']> };

type ValueOf<F> = F extends Field<infer T> ? T : never;
export type Values<F extends Fields> = { [Name in keyof F]: ValueOf<F[Name]> };

export const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.values(fields).map(({ property }) => property);

export function readEach<F extends Fields>(fields: F, raw: RawFields): Reads<F> {
	const reads: Record<string, Read<unknown>> = {};
	for (const [name, { read }] of Object.entries(fields)) reads[name] = read(raw[name]);
	return reads as Reads<F>;
}

/** The values of all fields, or an InputError with everything that is wrong. */
export const readFields = <F extends Fields>(fields: F, raw: RawFields): Values<F> =>
	collect(readEach(fields, raw) as Record<string, Read<unknown>>, raw) as Values<F>;

/** An empty optional field is left out, never sent as "" or null. */
export const withoutBlanks = (params: RawFields): RawFields =>
	Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
