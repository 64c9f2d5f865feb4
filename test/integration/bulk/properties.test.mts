import fc from 'fast-check';

import {
	attempts,
	classify,
	classifyNaively,
	isHonest,
	isReadSafely,
	thrown,
} from '../../helpers/soak/properties.mts';

// The others (signatures, replies, amounts, phone numbers) stand beside the unit tests of their modules.
const RUNS = { numRuns: 10_000 };

it('every attempt has an outcome, and none claims more than the attempt shows', () => {
	fc.assert(fc.property(attempts, isHonest(classify)), RUNS);
});

it('a naive classifier fails the same property', () => {
	expect(fc.check(fc.property(attempts, isHonest(classifyNaively)), RUNS).failed).toBe(true);
});

it('whatever is thrown is read, and "nothing was sent" is said only for a known cause', () => {
	fc.assert(fc.property(thrown, isReadSafely), RUNS);
});
