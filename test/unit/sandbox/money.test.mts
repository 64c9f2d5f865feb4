import fc from 'fast-check';
import { feeOf, moneyText } from '../../../sandbox/store/money.mts';
import { Wallets } from '../../../sandbox/store/wallets.mts';
import { resolveOptions } from '../../../sandbox/options.mts';

it('amounts have a fee of 1.5 % in the currency’s own unit', () => {
	expect(feeOf(500, 'KES')).toBe(7.5);
	expect(feeOf(0.01, 'KES')).toBe(0);
	expect(feeOf(1001, 'XOF')).toBe(15);
	expect(moneyText(7.5, 'KES')).toBe('7.50');
	expect(moneyText(15, 'XOF')).toBe('15');
});

it('wallets add up exactly, where floats would drift', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 })), (cents) => {
			const wallets = new Wallets(resolveOptions().integrations);
			for (const one of cents) wallets.move('demo', 'KES', one / 100);
			const sum = cents.reduce((total, one) => total + one, 1_000_000);
			expect(wallets.balance('demo', 'KES')).toBe(sum / 100);
			expect(wallets.balance('second', 'KES')).toBe(10_000);
		}),
	);
});
