import { run, type Row } from './runExample.mts';

/** Runs the code with wallets that are low, by the balance that the service gave. */
const watch = (balance: Row, low: Row[] = [{ wallet: 1, low: true }], reported: Row = {}): Row[] =>
	run('balance-watch.json', 'Not reported yet', low, { 'Get balances': [balance] }, { reported });

const GOOD = { currency: 'KES', balance: 5 };

describe('Balance watch', () => {
	it.each([5, 0, '5.00', '-3'])('reads %j', (balance) => {
		expect(watch({ currency: 'KES', balance })).toMatchObject([{ wallet: 1, low: true }]);
	});

	it.each<[Row]>([
		// What n8n gives for no balance at all.
		[{}],
		[{ currency: 'KES' }],
		[{ currency: 'KES', balance: null }],
		[{ currency: 'KES', balance: 'five' }],
		[{ balance: 5 }],
	])('fails, and does not stay silent, at %j', (given) => {
		expect(() => watch(given)).toThrow(`This balance cannot be read: ${JSON.stringify(given)}`);
	});

	it('tells wallets apart by number and currency, and each once', () => {
		const low = (wallet: number | null, currency: string) => ({ wallet, currency, low: true });
		const wallets = [low(null, 'KES'), low(null, 'UGX'), low(1, 'KES')];
		expect(watch(GOOD, wallets)).toHaveLength(3);
		expect(watch(GOOD, wallets, { '1 KES': true })).toHaveLength(2);
		expect(() => watch(GOOD, [low(null, 'KES'), low(null, 'KES')])).toThrow(
			'Two balances cannot be told apart: wallet null KES',
		);
	});
});
