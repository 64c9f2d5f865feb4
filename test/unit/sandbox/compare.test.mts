import fc from 'fast-check';
import { compareTexts } from '../../../sandbox/protocol/compare.mts';

const join = (expected: string, received: string, side: 'expected' | 'received') =>
	compareTexts(expected, received)
		.map((part) => ('same' in part ? part.same : part[side]))
		.join('');

describe('comparing two texts', () => {
	it('shows where they differ', () => {
		expect(compareTexts('Demo Shop|1200,x', 'Demo shop|1200.00,x')).toEqual([
			{ same: 'Demo ' },
			{ expected: 'S', received: 's' },
			{ same: 'hop|1200' },
			{ expected: '', received: '.00' },
			{ same: ',x' },
		]);
	});

	it('loses nothing of either text', () => {
		const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '😀') });
		fc.assert(
			fc.property(text, text, (expected, received) => {
				expect(join(expected, received, 'expected')).toBe(expected);
				expect(join(expected, received, 'received')).toBe(received);
			}),
		);
	});
});
