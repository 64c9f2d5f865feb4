import { createAskedSoFar } from '../../../../nodes/UnifiedPayments/rows/create/askedSoFar.ts';
import { overTotal } from '../../../../nodes/UnifiedPayments/rows/create/batchLimits.ts';

const row = (amount: string, currency = 'KES') =>
	({ name: `row of ${amount}`, request: { payment: { amount, currency } } }) as never;

describe('the limit of a total', () => {
	it.each([
		['100', ['60', '40'], null],
		['100', ['60', '40', '0.01'], 2],
		[null, ['1000000'], null],
	])('of %p, with rows of %p: over it from row %p on', (limit, amounts, at) => {
		const rows = amounts.map((amount) => row(amount));
		const refusal = overTotal(limit, rows);
		expect(refusal?.row ?? null).toBe(at === null ? null : rows[at]);
	});

	it('counts what the execution has asked for already, in each currency, over a restart', () => {
		const memory = {};
		createAskedSoFar(memory).add({ amount: '60', currency: 'KES' });
		const asked = createAskedSoFar(JSON.parse(JSON.stringify(memory)) as object as never);
		expect(overTotal('100', [row('40')], asked)).toBeNull();
		expect(overTotal('100', [row('40.01')], asked)?.error.message).toContain('60 KES earlier');
		expect(overTotal('100', [row('100', 'UGX')], asked)).toBeNull();
		asked.subtract({ amount: '10', currency: 'KES' });
		expect(overTotal('100', [row('50')], asked)).toBeNull();
	});
});
