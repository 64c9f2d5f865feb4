import { InputError } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import {
	collect,
	and,
	bad,
	given,
	good,
	type Read,
} from '../../../nodes/UnifiedPayments/fields/field.ts';

const no = bad('which is wrong', 'Give another.');
const double = (value: number): Read<number> => good(value * 2);

describe('and', () => {
	it('goes on with what is good', () => {
		expect(and(good(2), double)).toEqual(good(4));
		expect(and(good(2), () => no)).toBe(no);
	});

	it('keeps what is bad', () => {
		expect(and(no as Read<number>, double)).toBe(no);
	});
});

describe('given', () => {
	it('goes on when the other field is good', () => {
		expect(given(good(2), double)).toEqual(good(4));
	});

	it('says nothing when the other field is bad, however many checks follow', () => {
		const waiting = given(no as Read<number>, double);
		expect(waiting.ok).toBe(true);
		const next = jest.fn(double);
		expect(and(waiting, next)).toBe(waiting);
		expect(given(waiting, next)).toBe(waiting);
		expect(next).not.toHaveBeenCalled();
	});
});

describe('collect', () => {
	it('gives the values when all are good', () => {
		expect(collect({ a: good(1), b: good(undefined) }, {})).toEqual({ a: 1, b: undefined });
	});

	it('throws all that is wrong, with what was given', () => {
		const reads = { a: no, b: good(2), c: bad('which is worse', 'Give none.') };
		let thrown: unknown;
		try {
			collect(reads, { a: 'x', c: 'z' });
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toBeInstanceOf(InputError);
		expect((thrown as InputError).issues).toEqual([
			{ field: 'a', given: 'x', reason: 'which is wrong', allowed: 'Give another.' },
			{ field: 'c', given: 'z', reason: 'which is worse', allowed: 'Give none.' },
		]);
	});
});
