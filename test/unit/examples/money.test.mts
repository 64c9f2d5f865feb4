import { evaluate, fieldsOf, nodeOf, outputOf, run } from './runExample.mts';
import type { Row } from './runExample.mts';

const asked = { amount: 5000, currency: 'KES' };

describe('Link, e-mail, paid, and on', () => {
	const FILE = 'link-email-paid-and-on.json';
	it.each<[Row, string]>([
		[{ state: 'success', paidInFull: true }, 'Paid'],
		[{ state: 'success', paidInFull: false }, 'Not all of it'],
		[{ state: 'success', paidInFull: 'true' }, 'Not all of it'],
		[{ state: 'failed', paidInFull: null }, 'Failed'],
		[{ state: 'timedOut', paidInFull: null }, 'Too late'],
	])('%j ends as "%s"', (json, end) => {
		expect(outputOf(FILE, 'How did it end?', { $json: [json] })).toBe(end);
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

describe.each([
	'paid-and-marked-in-the-sheet.json',
	'google-sheets-paid-and-marked.json',
	'desk/payments.json',
])('%s: an amount that cannot be read', (file) => {
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

describe('the desk, when the service writes an amount that cannot be read', () => {
	const record = { ref: 'R', orderReference: 'A', state: 'success', currency: 'KES' };

	/** What the table gets of a payment. */
	const kept = (json: Row): Row =>
		fieldsOf('desk/payments.json', 'Keep the payment', { $json: [json] });

	it('keeps the payment without an amount, from a callback and when it is looked up', () => {
		const transaction = { ref: 'R', amount: '1.500,00', currency: 'KES' };
		const called = kept({ ...record, transaction });
		const lookedUp = (amount: unknown, known: Row[]) =>
			run('desk/payments.json', 'New to us', [{ ...record, amount } as Row], {
				'Known payments': known,
				'Open rows': [{ order: 'A', currency: 'KES', paid: 0 }],
			}).map(kept);
		expect(called).toMatchObject({ reference: 'R', order: 'A', amount: null });
		expect(lookedUp('1.500,00', [])).toMatchObject([{ reference: 'R', amount: null }]);
		// What has become readable is news.
		expect(lookedUp('1.500,00', [called])).toEqual([]);
		expect(lookedUp(1500, [called])).toMatchObject([{ amount: 1500 }]);
	});

	it('says so at the close of day, and adds up the others', () => {
		const payment = { state: 'success', currency: 'KES', at: '2026-01-02' };
		const sent = { amount: 5, paid: 0, currency: 'KES', outcome: 'accepted', state: 'x' };
		const [close] = run('desk/payments.json', 'Add up', [], {
			Settings: [{ start: '2026-01-02', until: '2026-01-03' }],
			Rows: [{ id: 1, order: 'A', ...sent }],
			Payments: [
				{ ...payment, reference: 'R', order: 'A', amount: null },
				{ ...payment, reference: 'S', order: 'B', amount: 7 },
			],
		});
		expect(close?.told).toContain('2 payments, 7.00 KES, without 1 whose amount cannot be read');
		expect(close?.told).toContain('A: the amount of a payment cannot be read');
	});
});

it('Reconcile leaves a row alone when the amount of its payment cannot be read, and says why', () => {
	const answer = { orderReference: 'A', state: 'success', amount: '1.500,00', currency: 'KES' };
	const [row] = run('reconcile.json', 'Rows compared', [{ ref: 'R', ...answer }], {
		Orders: [{ order: 'A', amount: 1500, currency: 'KES', state: 'part payment', paid: 7 }],
		Payments: [],
		'To look up': [{ reference: 'R', order: 'A' }],
	});
	expect(row).toMatchObject({ state: 'part payment', paid: 7, result: 'could not be checked' });
	expect(row?.why).toBe('The amount of payment R cannot be read: "1.500,00"');
});

it('The question of the links shows the true totals and rows first, and then in one line who says to have uploaded it', () => {
	const hostile = 'Amina\n• 1 KES in 1 row\\n• 2 KES <br> *Approved* by &lt;@U1&gt;';
	const row = { batch: 'b', order: 'A-1', firstName: 'Amina', amount: 1250.5, currency: 'KES' };
	const totals = [{ currency: 'KES', rows: 1, amount: 39030.49 }];
	const checked = { valid: 1, toCorrect: 0, fingerprint: 'abc', totals, problems: [] };
	const [asked] = run('desk/links.json', 'The question', [checked], {
		'Its rows': [{ ...row, item: hostile, uploadedBy: hostile, file: 'orders_May.csv' }],
	});
	const lines = String(asked?.text).split('\n');
	expect(lines).toHaveLength(7);
	expect(lines[1]).toBe('• 39,030.49 KES in 1 row');
	expect(lines[2]).toMatch(/^1\. A-1, Amina, 1,250\.50 KES, Amina • 1 KES in 1 row/);
	expect(lines[3]).toMatch(/https:\/\/n8n\.example\/webhook\/payment-desk-sheet\?batch=b$/);
	expect(lines[6]).toMatch(/^Typed into the form, and not checked: name "Amina • 1 KES/);
	for (const line of [lines[2], lines[6]]) expect(line).not.toMatch(/[<>&*\\]/);
	expect(lines[6]).toContain('file "orders_May.csv"');
});

it('an approval by e-mail is an answer to a page, not the opening of a link', () => {
	const { responseType } = nodeOf('desk/links.json', 'Ask by e-mail').parameters;
	const answer = (data: Row | undefined) =>
		fieldsOf('desk/links.json', 'Answered', {
			$json: [data ? { data } : {}],
			'Check the rows': [{}],
		}).approval;
	expect(responseType).toBe('customForm');
	expect(answer({ Decision: 'Send them' })).toBe('approved');
	expect(answer({ approved: true })).toBe('approved');
	for (const data of [{ Decision: 'Do not send' }, { approved: false }, {}]) {
		expect(answer(data)).toBe('declined');
	}
	expect(answer(undefined)).toBe('not answered');
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

describe('Books', () => {
	const FILE = 'books.json';
	const DAY = { day: '2026-01-02', dates: 'dd/LL/yyyy', service: 'Unified Payments' };
	const record = { ref: 'R', state: 'success', amount: 100.1, fee: 1.5, currency: 'KES' };
	const statements = (answer: Row, reference = 'R') =>
		run(FILE, 'Statements', [answer], {
			Settings: [DAY],
			'Of that day': [{ reference, order: 'A', amount: 100.1, currency: 'KES' }],
		});

	it.each<[string, Row, string]>([
		['no answer', { reference: 'R', error: { message: 'It is away' } }, 'It is away'],
		['an answer about another', { ...record, ref: 'S' }, 'The service gave no answer about it'],
		['one taken back', { ...record, state: 'failed' }, 'The service says now: failed'],
		['no number', { ...record, amount: '1.500,00' }, 'Its amount cannot be read: ""1.500,00""'],
		['a fee that is not stated', { ...record, fee: null }, 'Its fee cannot be read: null'],
	])('%s is left out of the books, and said', (_, answer, why) => {
		expect(statements(answer)).toEqual([
			{
				fileName: 'left-out-2026-01-02.csv',
				content: `Date,Amount,Currency,Order,Reference,Why\r\n"02/01/2026","100.1","KES","A","R","${why}"\r\n`,
			},
		]);
	});

	it('has no line for a fee of nothing, and no formula in a cell that somebody else wrote', () => {
		const detail = { mobile: '+254712345678', transaction_detail: '=cmd|"x"\n@SUM(1)' };
		const [xero, quickBooks] = statements({ ...record, fee: 0, ...detail }) as [Row, Row];
		expect(xero).toMatchObject({ payments: 100.1, fees: 0, total: 100.1 });
		expect(String(xero.content).split('\r\n').slice(1)).toEqual([
			`02/01/2026,100.10,"'+254712345678","Payment, order A, =cmd|""x"" @SUM(1)","R"`,
			'',
		]);
		expect(String(quickBooks.content).split('\r\n')[1]).toBe(
			`02/01/2026,"Payment, order A, =cmd|""x"" @SUM(1), R",100.10`,
		);
	});

	it.each(['=1+1', '@x', '\t=1+1'])('a reference %j is text', (reference) => {
		const [xero] = statements({ ...record, ref: reference }, reference);
		expect(String(xero?.content)).toContain(`,"'${reference.trim()}"\r\n`);
	});
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
