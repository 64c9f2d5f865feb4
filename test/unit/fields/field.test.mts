import type { INodeProperties } from 'n8n-workflow';

import { amountField } from '../../../nodes/UnifiedPayments/fields/amount.ts';
import {
	propertiesOf,
	readEach,
	readFields,
	withoutBlanks,
	type Field,
} from '../../../nodes/UnifiedPayments/fields/field.ts';
import { InputError } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import { readEmail, readText } from '../../../nodes/UnifiedPayments/fields/text.ts';

const property = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});
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
	const bad = { amount: 'abc', name: '', email: 'nobody' };
	expect(() => readFields(FIELDS, bad)).toThrow(InputError);
	const issues = (() => {
		try {
			readFields(FIELDS, bad);
		} catch (error) {
			return (error as InputError).issues;
		}
		return [];
	})();
	expect(issues.map(({ field, given }) => [field, given])).toEqual([
		['amount', 'abc'],
		['name', ''],
		['email', 'nobody'],
	]);
	expect(issues[0]).toEqual({
		field: 'amount',
		given: 'abc',
		reason: 'which is not an amount',
		allowed: 'Enter a positive number with at most two decimals, e.g. 1500 or 1500.50.',
	});
});

it('reads each field by itself, so that a bad one hides no other', () => {
	const reads = readEach(FIELDS, { ...ROW, amount: 'abc' });
	expect([reads.amount.ok, reads.name.ok, reads.email.ok]).toEqual([false, true, true]);
});

it('leaves out what is not there, and nothing else', () => {
	expect(withoutBlanks({ a: undefined, b: 0, c: false, d: 'x' })).toEqual({
		b: 0,
		c: false,
		d: 'x',
	});
});
