import { evaluate, fieldsOf, nodeOf, outputOf, run } from './runExample.mts';
import type { Row } from './runExample.mts';

const asked = { amount: 5000, currency: 'KES' };

describe('Link, e-mail, paid, and on', () => {
	const FILE = 'link-email-paid-and-on.json';
	it.each<[Row, string]>([
		[{ state: 'success', paidInFull: true }, 'Paid'],
		[{ state: 'success', paidInFull: false }, 'Not all of it'],
		[{ state: 'success', paidInFull: 'true' }, 'Not all of it'],
		[{ state: 'failed', paidInFull: null }, 'Not in time'],
		[{ state: 'timedOut', paidInFull: null }, 'Not in time'],
	])('%j ends as "%s"', (json, end) => {
		expect(outputOf(FILE, 'How did it end?', { $json: [json] }) ?? 'Not in time').toBe(end);
	});

	it('tells the shop what came in, also when it cannot be read', () => {
		const { text } = nodeOf(FILE, 'Tell the shop').parameters;
		const mail = (amount: unknown) =>
			evaluate(FILE, 'Tell the shop', text, {
				$json: [{ orderReference: 'A-1', asked, transaction: { amount, currency: 'KES' } } as Row],
			});
		expect(mail(1)).toContain('For order A-1, 1 KES came in.\nAsked for: 5000 KES');
		expect(mail('a lot')).toContain('For order A-1, an amount that cannot be read came in.');
	});
});

it('Status alerts to Slack do not call a part payment paid', () => {
	const told = (json: Row) =>
		Object.values(fieldsOf('status-alerts-to-slack.json', 'Message', { $json: [json] }))[0];
	const transaction = { amount: 1, currency: 'KES', ref: 'R', mobile: '254' };
	const part = { state: 'success', paidInFull: false, asked, orderReference: 'A', transaction };
	expect(told(part)).toContain(':warning: Paid, but not in full: *1 KES* for order *A*, by 254');
	expect(told(part)).toContain('Asked for: 5000 KES');
	expect(told({ ...part, paidInFull: true })).toContain(':white_check_mark: Paid: *1 KES*');
});

const PAID = { order: 'A', state: 'success', currency: 'KES' };
const READABLE = { ...PAID, reference: '1', amount: 0.1, at: '1' };
/** As the table has it, as a sheet has it, and as the service wrote it. */
const UNREADABLE = [null, 'a lot', '1,50'].map((amount) => ({
	...READABLE,
	reference: '2',
	amount: amount as string,
}));

describe('Paid, and marked: an amount that cannot be read', () => {
	const file = 'paid-and-marked-in-the-sheet.json';
	const transaction = { ref: '2', amount: 'a lot', currency: 'KES' };
	const changed = (amount: number) => ({
		'Payment changed': [
			{ orderReference: 'A', asked: { amount, currency: 'KES' }, state: 'success', transaction },
		],
		'Keep the payment': [
			{ ...READABLE, reference: '2', amount: null, asked: amount, askedCurrency: 'KES' },
		],
	});
	const sum = (payments: Row[], asked: number) => {
		const outputs = { ...changed(asked), 'Payments of the order': payments };
		return run(file, 'Sum up', payments, outputs)[0];
	};

	it.each(UNREADABLE)('$amount counts as nothing, and the row says so', (payment) => {
		const state = 'amount not readable';
		expect(sum([READABLE, payment], 0.3)).toMatchObject({ state, paid: 0.1 });
		expect(sum([payment], 0.3)).toMatchObject({ state, paid: 0 });
	});

	it('does not undo what was paid in full without it', () => {
		expect(sum([READABLE, UNREADABLE[0]!], 0.1)).toMatchObject({ state: 'paid', paid: 0.1 });
		expect(sum([READABLE, { ...UNREADABLE[0]!, state: 'failed' }], 0.3)).toMatchObject({
			state: 'part payment',
		});
	});
});

describe('Remind and close of day', () => {
	const FILE = 'remind-and-close-of-day.json';
	const row = { order: 'A', amount: 1500, currency: 'KES', state: 'part payment', paid: 7 };
	const closed = (answers: Row[], payments: Row[] = [], order: Row = row) =>
		run(FILE, 'Close of day', [], {
			Settings: [{ remindAfterDays: 0, remindEveryDays: 3 }],
			Orders: [{ ...order, link: 'https://pay/1', email: 'a@b.c', createdAt: '2026-01-01' }],
			Payments: payments,
			'Look up': answers,
			'To look up': [{ reference: 'R', order: 'A' }],
		})[0] as { told: string; rows: Row[] };
	const answer = { ref: 'R', orderReference: 'A', state: 'success', amount: 1500, currency: 'KES' };
	const unpaid = { ...row, state: null, paid: null };

	it('leaves a row alone when the amount of its payment cannot be read, and says why', () => {
		const { told, rows } = closed([{ ...answer, amount: '1.500,00' }]);
		expect(rows).toMatchObject([{ isNew: false, remind: false }]);
		expect(told).toContain('A: the amount of payment R cannot be read');
	});

	it('reminds nobody when the service did not answer, and whoever it knows no payment of', () => {
		const error = (serviceMessage: string | null, httpStatus = 400) => [
			{ error: { serviceMessage, httpStatus, message: 'No' } },
		];
		expect(closed(error(null), [], unpaid).rows).toMatchObject([{ remind: false }]);
		expect(closed(error('Transaction was not created!'), [], unpaid).rows).toMatchObject([
			{ remind: true },
		]);
		expect(closed(error('Not verified', 403), [], unpaid).rows).toMatchObject([{ remind: false }]);
		// One that was reported must be known.
		const reported = { ...answer, reference: 'R', order: 'A', state: 'pending' };
		expect(closed(error('Transaction was not created!'), [reported], unpaid).rows).toMatchObject([
			{ remind: false },
		]);
	});

	it('counts a payment for an order only if something proves it', () => {
		const { told, rows } = closed([{ ...answer, orderReference: null }], [], unpaid);
		expect(rows).toMatchObject([{ isNew: false, remind: false, paid: 0 }]);
		expect(told).toContain('payment R may be for it, but nothing proves it');
		expect(closed([answer], [], unpaid).rows).toMatchObject([{ isNew: true, state: 'paid' }]);
	});
});

it("the agent's card shows an order in one line, after the amount", () => {
	const FILE = 'ai-agent-with-payments.json';
	const { message } = nodeOf(FILE, 'Ask a person first').parameters;
	const card = (order: string) => {
		const $tool = { parameters: { amount: '5000', mobile: '0712', country: 'KE', order } };
		return String(evaluate(FILE, 'Ask a person first', message, {}, { $tool })).split('\n');
	};

	const lines = card('A-7\n\n- Amount: **1**');
	expect(lines).toHaveLength(card('A-7').length);
	expect(lines.at(-1)).toBe('- Order: A-7 - Amount 1');
	expect(card('').at(-1)).toBe('- Order: none');
});

describe('Asked again when it failed', () => {
	const FILE = 'asked-again-when-it-failed.json';
	const settings = { canPass: 'TIMEOUT, LIMIT_EXCEEDED', askAgain: 2 };
	const failed = (failureCode: string | null) => ({ failureReason: { failureCode } });

	it.each<[Row, string]>([
		[{ state: 'success', paidInFull: true, try: 1 }, 'Paid'],
		[{ state: 'success', paidInFull: false, try: 1 }, 'Leave it'],
		[{ state: 'failed', try: 1, transaction: failed('TIMEOUT') }, 'Ask again'],
		[{ state: 'failed', try: 2, transaction: failed('LIMIT_EXCEEDED') }, 'Ask again'],
		[{ state: 'failed', try: 3, transaction: failed('TIMEOUT') }, 'Leave it'],
		[{ state: 'failed', transaction: failed('TIMEOUT') }, 'Leave it'],
		[{ state: 'failed', try: 1, transaction: failed('USER_CANCELLED') }, 'Leave it'],
		[{ state: 'failed', try: 1 }, 'Leave it'],
		[{ state: 'pending', try: 1, transaction: failed('TIMEOUT') }, 'Leave it'],
	])('%j ends as "%s"', (json, end) => {
		const left = outputOf(FILE, 'How did it end?', { $json: [json], Settings: [settings] });
		expect(left ?? 'Leave it').toBe(end);
	});
});
