import type { INodeProperties } from 'n8n-workflow';

import { amountField } from '../../../nodes/UnifiedPayments/fields/amount.ts';
import {
	and,
	bad,
	given,
	good,
	propertiesOf,
	readFields,
	withoutBlanks,
	type Field,
	type Read,
} from '../../../nodes/UnifiedPayments/fields/field.ts';
import { showGiven } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import { readEmail, readText } from '../../../nodes/UnifiedPayments/fields/text.ts';

const property = (name: string) =>
	({ displayName: name, name, type: 'string', default: '' }) as INodeProperties;
const name: Field<string> = { property: property('name'), read: readText };
const email: Field<string | undefined> = {
	property: property('email'),
	blank: { value: undefined },
	read: readEmail,
};

const FIELDS = { amount: amountField, name, email };
const ROW = { amount: '5.50', name: 'Amina', email: ' ', other: 'ignored' };

it('gives the properties in the order of the fields', () => {
	expect(propertiesOf(FIELDS).map((each) => each.name)).toEqual(['amount', 'name', 'email']);
});

it('gives what was read, with blanks as undefined, and nothing else', () => {
	expect(readFields(FIELDS, ROW)).toEqual({
		amount: { amount: '5.5', signs: [] },
		name: 'Amina',
		email: undefined,
	});
});

it('tells of every bad field, with what was given', () => {
	const row = { amount: 'abc', name: '', email: 'nobody' };
	const issues = Object.entries(row).map(([field, value]) => ({
		field,
		given: value,
		reason: expect.any(String) as string,
		allowed: expect.any(String) as string,
	}));
	const reason = 'which is not an amount';
	issues[0]!.reason = reason;
	const thrown = expect.objectContaining({ name: 'InputError', message: reason, issues }) as Error;
	expect(() => readFields(FIELDS, row)).toThrow(thrown);
});

it('leaves out what is not there, and nothing else', () => {
	const kept = { b: 0, c: false, d: 'x' };
	expect(withoutBlanks({ a: undefined, ...kept })).toStrictEqual(kept);
});

describe('one check after the other', () => {
	const no: Read<number> = bad('which is wrong', 'Give another.');
	const double = (value: number): Read<number> => good(value * 2);

	it('goes on with what is good, and keeps what is bad', () => {
		expect(and(good(2), double)).toEqual(good(4));
		expect(and(good(2), () => no)).toBe(no);
		expect(and(no, double)).toBe(no);
	});

	it('says nothing when the field that it depends on is bad, however many checks follow', () => {
		expect(given(good(2), double)).toEqual(good(4));
		const waiting = given(no, double);
		expect(waiting.ok).toBe(true);
		const next = jest.fn(double);
		expect(and(waiting, next)).toBe(waiting);
		expect(given(waiting, next)).toBe(waiting);
		expect(next).not.toHaveBeenCalled();
	});
});

describe('what was given is shown', () => {
	const circle: Record<string, unknown> = {};
	circle.self = circle;

	it.each<[unknown, string]>([
		[undefined, 'empty'],
		[null, 'empty'],
		['', 'empty'],
		[7, '7'],
		[{ a: [1] }, '{"a":[1]}'],
		[circle, 'object'],
		['two\nlines\u0000\ud800', '"two�lines��"'],
		['x'.repeat(80), `"${'x'.repeat(80)}"`],
		['x'.repeat(81), `"${'x'.repeat(80)}… (81 characters)"`],
		[`${'x'.repeat(79)}😀y`, `"${'x'.repeat(79)}… (82 characters)"`],
		[`${'x'.repeat(78)}😀y`, `"${'x'.repeat(78)}😀… (81 characters)"`],
		[['x'.repeat(100)], `["${'x'.repeat(78)}… (104 characters)`],
	])('%p as %s', (value, shown) => {
		expect(showGiven(value)).toBe(shown);
	});
});
