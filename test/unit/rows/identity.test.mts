import { findRepeats } from '../../../nodes/UnifiedPayments/rows/identity.ts';

describe('findRepeats', () => {
	it.each([
		[[], []],
		[['a'], [null]],
		[
			['a', 'b', 'a', 'a', 'b'],
			[null, null, 0, 0, 1],
		],
		[
			[null, null, 'a', null, 'a'],
			[null, null, null, null, 2],
		],
		[
			['', ''],
			[null, 0],
		],
		[
			['__proto__', 'constructor', '__proto__'],
			[null, null, 0],
		],
	])('of %j is %j', (keys, expected) => {
		expect(findRepeats(keys)).toEqual(expected);
	});
});
