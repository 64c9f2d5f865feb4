import { chosenOutput } from '../../../nodes/UnifiedPayments/fields/simplify.ts';

const RECORD = { state: 'success', ref: 'TX-1', amount: 5 };
const simple = (record: Record<string, unknown>) => ({ ref: record.ref });

const chosen = (fields: unknown, record: Record<string, unknown> = RECORD) =>
	chosenOutput({ simplify: true, output: 'selectedFields', fields }, record, 'ref', simple);

describe('the chosen output', () => {
	it.each([
		[{ simplify: true, output: 'simplified' }, { ref: 'TX-1' }],
		[{ simplify: true }, { ref: 'TX-1' }],
		[{ simplify: false, output: 'simplified' }, RECORD],
		[{ simplify: true, output: 'raw' }, RECORD],
	])('is, with %j, %j', (raw, expected) => {
		expect(chosenOutput(raw, RECORD, 'ref', simple)).toEqual(expected);
	});

	it('gives the chosen fields, and always what the record is known by', () => {
		expect(chosen(['amount', 'state'])).toEqual({ ref: 'TX-1', amount: 5, state: 'success' });
		expect(chosen([])).toEqual({ ref: 'TX-1' });
	});

	it.each<[unknown]>([[undefined], ['amount'], [null], [{ a: 1 }]])(
		'takes %j for none chosen',
		(fields) => {
			expect(chosen(fields)).toEqual({ ref: 'TX-1' });
		},
	);

	it('gives nothing that the record does not hold itself', () => {
		const names = ['amount', 'toString', 'constructor', '__proto__'];
		expect(chosen(names, { ref: 1 })).toEqual({ ref: 1 });
		expect(chosen(['amount'], { amount: 1 })).toEqual({ amount: 1 });
	});
});
