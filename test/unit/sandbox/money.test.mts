import { feeOf, moneyText } from '../../../sandbox/store/money.mts';

it('amounts have a fee of 1.5 % in the currency’s own unit', () => {
	expect(feeOf(500, 'KES')).toBe(7.5);
	expect(feeOf(0.01, 'KES')).toBe(0);
	expect(feeOf(1001, 'XOF')).toBe(15);
	expect(moneyText(7.5, 'KES')).toBe('7.50');
	expect(moneyText(15, 'XOF')).toBe('15');
});
