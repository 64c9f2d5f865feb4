import { nodeOf, run } from './runExample.mts';
import type { Row } from './runExample.mts';

const LINKS = 'desk/links.json';
const PAYMENTS = 'desk/payments.json';
const at = '2026-01-02T10:00:00Z';

describe('Paid: the sum of the payments of an order', () => {
	const asked = { order: 'A', asked: 0.3, askedCurrency: 'KES' };
	const payment = (reference: string, state: string, amount: number, currency = 'KES') => ({
		...asked,
		reference,
		state,
		amount,
		currency,
		at: `2026-01-0${reference}`,
	});
	const part = (reference: string, amount: number, currency?: string) =>
		payment(reference, 'success', amount, currency);
	const failed = (reference: string) => payment(reference, 'failed', 0.3);
	const sum = (change: Row, ...payments: Row[]) =>
		run(PAYMENTS, 'Sum up', [], {
			'Keep the payment': [change],
			'Payments of the order': payments,
		})[0];

	it.each([
		['two parts make a whole', [part('1', 0.1), part('2', 0.2)], 'paid', 0.3],
		['a part is a part', [part('1', 0.1)], 'part payment', 0.1],
		['a try that failed undoes no payment', [part('1', 0.3), failed('2')], 'paid', 0.3],
		['another currency is nothing', [part('1', 5, 'UGX')], 'paid in another currency', 0],
		['a try that failed', [failed('1')], 'failed', 0],
	])('%s', (_, payments, state, paid) => {
		expect(sum(payments.at(-1)!, ...payments)).toMatchObject({ order: 'A', state, paid });
	});
});

describe('Paid: what the service says about open orders', () => {
	const notFound = { reference: 'R', error: { serviceMessage: 'Transaction not found' } };
	const answered = (answer: Row, listedAs = 'open') =>
		run(PAYMENTS, 'Orders with an answer', [answer], {
			'To look up': [{ reference: 'R', order: 'A', listedAs }],
		}).map(({ order }) => order);

	it('a link that nobody has paid is an answer, a payment of the order is one, too', () => {
		expect(answered(notFound)).toEqual(['A']);
		expect(answered({ ref: 'R', orderReference: 'A', state: 'failed' })).toEqual(['A']);
	});

	it('is no answer when it contradicts the list, proves nothing, or is an error', () => {
		expect(answered(notFound, 'paid')).toEqual([]);
		expect(answered({ ref: 'R', orderReference: null, state: 'success' })).toEqual([]);
		expect(answered({ ref: 'R', orderReference: 'B', state: 'success' })).toEqual([]);
		expect(answered({ reference: 'R', error: { message: 'Timeout' } })).toEqual([]);
	});
});

describe('Links: what is read of a sheet', () => {
	const valid = (order: string, more: Row = {}): Row => ({
		outcome: 'valid',
		orderReference: order,
		request: { amount: '1250.50', currency: 'KES', email: 'a@x.yz', ...more },
	});
	const look = (read: Row[], known: Row[] = [], sheet: Row[] = [{ Order: 'A-1' }]) =>
		run(LINKS, 'Look at the sheet', known, {
			'Upload a sheet': [{ 'Any name': [{ filename: 'May.csv' }], 'Your name': 'Amina' }],
			'Batch number': [{ batch: 'b' }],
			'Read XLSX': sheet,
			'Read the rows': read,
		});

	const before = { order: 'A-1', outcome: 'accepted', link: 'https://pay/1', state: 'open' };
	const failed = { ...before, state: 'failed' };
	const second = { order: 'A-1 (2)', instead: 'A-1' };
	it.each<[string, Row[], string | undefined]>([
		['is left out when it was sent', [before], undefined],
		['is left out when nobody knows', [{ ...before, outcome: 'unknown' }], undefined],
		['is left out when a part is paid', [{ ...before, state: 'part payment' }], undefined],
		['gets a name of its own when its payment failed', [failed], 'A-1 (2)'],
		['gets one when its link was never found', [{ ...before, link: null }], 'A-1 (2)'],
		['is left out when it was asked for again', [failed, { ...before, ...second }], undefined],
		['gets another when that failed, too', [failed, { ...failed, ...second }], 'A-1 (3)'],
	])('an order that was uploaded before %s', (_, known, name) => {
		const [first] = look([valid('A-1')], known);

		if (name === undefined) {
			// In no batch, so nothing can be sent for it.
			expect(first).toMatchObject({ batch: 'left out of b', order: 'A-1', outcome: 'left out' });
			expect(first).toMatchObject({ title: 'There is nothing to send', state: 'left out' });
			expect(first?.html).toContain('Order A-1 was sent before.');
		} else expect(first).toMatchObject({ instead: 'A-1', amount: 1250.5, file: 'May.csv' });
	});

	it.each<[string, string[], Row[], string[]]>([
		['the desk gave is the order’s', ['A-1 (2)'], [failed, { ...failed, ...second }], ['A-1 (3)']],
		['somebody typed is not given', ['A-1', 'A-1 (2)'], [failed], ['A-1 (3)', 'A-1 (2)']],
		['was sent is not given', ['A-1'], [failed, { ...before, order: 'A-1 (2)' }], ['A-1 (3)']],
	])('a name that %s', (_, orders, known, names) => {
		const sheet = orders.map((Order) => ({ Order }));
		const rows = look(
			orders.map((order) => valid(order)),
			known,
			sheet,
		);
		expect(rows.map(({ order }) => order)).toEqual(names);
	});

	it.each([' A-1', 'A-1\u200b', '\u2060A\u00ad-1', '\ufeffA-1\u0085'])(
		'an order that was sent is known again when it is written as %j',
		(order) => {
			expect(look([valid(order)], [before])[0]).toMatchObject({ outcome: 'left out' });
		},
	);

	it('an order that nobody sees is none', () => {
		expect(look([valid('\u200b')])[0]).toMatchObject({ title: 'One thing to correct' });
	});

	it('a row that is in the sheet twice is sent once, and kept as left out', () => {
		const rows = look([valid('A-1'), { ...valid('A-1'), outcome: 'duplicate' }]);
		expect(rows).toMatchObject([
			{ batch: 'b', order: 'A-1' },
			{ batch: 'left out of b', outcome: 'left out', message: 'It is in the sheet twice.' },
		]);
		expect(rows[0]?.outcome).toBeUndefined();
		expect(rows[0]?.html).toContain('<td>3</td><td>A-1</td><td>It is in the sheet twice.</td>');
	});
});

describe('Links: what became of the rows', () => {
	const row = { id: 1, batch: 'b', order: 'A-1', amount: 5, currency: 'KES', email: 'a@x.yz' };
	const lost = { ...row, id: 2, order: 'A-2', outcome: 'accepted', link: null };
	const made = { ...row, outcome: 'accepted', link: 'https://pay/1' };

	it('accepted without a link is not told as made: the page and Slack say so, and the way out', () => {
		const [{ title, html, told, letters }] = run(LINKS, 'Sum up', [made, lost], {}) as [Row];
		expect(title).toBe('One payment link made');
		expect(html).toContain('One customer gets the link by e-mail');
		for (const text of [html, told]) {
			expect(text).toMatch(/A-2.*its link was not found.*Upload the row again/s);
		}
		expect(letters).toEqual([expect.objectContaining({ key: 'link A-1', to: 'a@x.yz' })]);
		expect(run(LINKS, 'Sum up', [lost], {})[0]?.title).toBe('No link can be sent');
	});
});

describe('Payments: the close of day', () => {
	const row = { outcome: 'accepted', amount: 80, currency: 'KES', link: 'https://pay', email: 'a' };
	const base = { ...row, sentAt: at, updatedAt: at, lookedUpAt: at, paid: 0, state: 'open' };
	const unsent = { link: null, sentAt: null };
	const leftOut = { ...unsent, outcome: 'left out', state: 'left out', createdAt: at };
	const close = (...rows: Row[]) =>
		run(PAYMENTS, 'Add up', [], {
			Settings: [{ start: at, until: '2026-01-03' }],
			Rows: rows.map((each, index) => ({ id: index + 1, ...each })),
			Payments: [{ reference: 'P', order: 'B', state: 'success', amount: 30, currency: 'KES', at }],
		})[0] as { told: string; lines: Row[] };

	it('has one line for every order, and what waits for somebody', () => {
		const { told, lines } = close(
			{ ...base, order: 'A' },
			{ ...base, order: 'B', state: 'part payment', paid: 30, paidAt: at },
			{ ...base, order: 'C', state: 'failed' },
			{ ...base, order: 'C (2)', instead: 'C' },
			{ ...base, order: 'D', email: null },
			{ ...base, order: 'E', link: null },
			{ ...base, order: 'A', ...leftOut, message: 'Order A was sent before.' },
		);
		expect(lines.map(({ order, open, remark }) => [order, open, remark])).toEqual([
			['A', 80, ''],
			['B', 50, expect.stringMatching(/^part payment, 30\.00 of 80\.00 KES: .* and 50\.00$/)],
			['C', 0, 'asked for again as C (2)'],
			['C (2)', 80, ''],
			['D', 80, 'no e-mail address: send the link yourself'],
			['E', 80, expect.stringMatching(/^accepted without a link, .* upload the row again/)],
			['A', undefined, 'Order A was sent before.'],
		]);
		expect(told).toContain('Repeated, and left out: 1 row, 80.00 KES');
		expect(told).toContain('Sent: 5 links, 400.00 KES');
		expect(told).toContain('Open: 4 orders, 290.00 KES');
		expect(told).toContain('Accepted without a link: 1 order, 80.00 KES');
		expect(told).toMatch(/Does not add up:\*\n {4}E: accepted without a link/);
		expect(told).toMatch(/To do:\*\n {4}B: part payment.*\n {4}D: no e-mail address/);
	});

	it('has a line for what was not approved, or waits for it, unless the order was sent in another batch', () => {
		const undecided = { ...base, ...unsent, outcome: null };
		const { told, lines } = close(
			{ ...base, order: 'A' },
			{ ...undecided, order: 'A', approval: 'declined' },
			{ ...undecided, order: 'F', approval: 'declined' },
			{ ...undecided, order: 'G', approval: 'asked' },
			{ ...undecided, order: 'K', approval: 'asked', updatedAt: '2020-01-01' },
			{ ...undecided, order: 'H', approval: 'not answered' },
			{ ...undecided, order: 'I', approval: null },
			// The next close has it.
			{ ...undecided, order: 'J', approval: 'declined', updatedAt: '2027-01-01' },
		);

		const own = lines.filter(({ order }) => order !== 'B');
		expect(own.map(({ order, remark }) => [order, remark])).toEqual([
			['A', ''],
			['F', 'not approved'],
			['G', 'waits for approval'],
			['K', 'nobody can approve it any more: upload it again'],
			['H', 'not approved: nobody answered'],
			['I', 'uploaded, and approval was not asked for'],
		]);
		expect(told).toContain('• Not approved: 1 row, 80.00 KES');
		expect(told).toContain('• Waits for approval: 1 row, 80.00 KES');
	});
});

describe('Payments: who is reminded', () => {
	const row = { link: 'l', email: 'a@x.yz', amount: 5, currency: 'KES', lookedUpAt: at };
	const letter = { kind: 'link', state: 'sent', at };
	const remind = (...rows: Row[]) =>
		run(PAYMENTS, 'Who to remind', [], {
			Settings: [{ days: 3, start: at }],
			Rows: rows.map((each) => ({ ...row, ...each })),
			'Letters so far': rows.map(({ order }) => {
				const orders = JSON.stringify([order]);
				return { ...letter, key: `link ${String(order)}`, orders };
			}),
		}).map(({ orders }) => orders);

	it('nobody whose payment failed, nor who has paid at the old link', () => {
		expect(remind({ order: 'A', state: 'open' }, { order: 'B', state: 'failed' })).toEqual([
			'["A"]',
		]);
		const again = { order: 'A (2)', instead: 'A', state: 'open' };
		expect(remind({ order: 'A', state: 'failed' }, again)).toEqual(['["A (2)"]']);
		expect(remind({ order: 'A', state: 'paid' }, again)).toEqual([]);
	});

	it('a payment that failed is told instead', () => {
		const [news] = run(PAYMENTS, 'Sum up', [{ order: 'B', outcome: 'accepted' }], {
			'Keep the payment': [{ order: 'B', state: 'failed', reference: 'R', asked: 5 }],
			'Payments of the order': [],
		});
		expect(news?.told).toContain('To ask again, upload the order again');
	});
});

describe('Payments: rows with the same order', () => {
	const sumUp = (...rows: Row[]) => {
		const change = { order: 'A', reference: 'R', asked: 5, askedCurrency: 'KES' };
		const payment = { order: 'A', reference: 'R', state: 'success', amount: 5, currency: 'KES' };
		const [news] = run(PAYMENTS, 'Sum up', rows, {
			'Keep the payment': [{ ...change, state: 'success' }],
			'Payments of the order': [{ ...payment, at: '2026-01-02' }],
		});
		return [String(news?.told), (news?.letters as Row[]).map(({ to }) => to)] as const;
	};
	const row = (id: number, outcome: string | null, email: string | null, more: Row = {}): Row => ({
		...{ id, order: 'A', outcome, email, firstName: email ?? 'nobody', link: 'l' },
		...more,
	});

	it('a receipt goes to the one whose row was sent, and to nobody else', () => {
		const asked = row(2, null, 'other@x.yz', { approval: 'asked', link: null });
		const duplicate = row(3, 'duplicate', 'third@x.yz', { link: null });
		expect(sumUp(row(1, 'accepted', 'own@x.yz'), asked, duplicate)[1]).toEqual(['own@x.yz']);
		expect(sumUp(row(1, 'accepted', null), asked, duplicate)[1]).toEqual([]);
		expect(sumUp(row(1, null, 'own@x.yz', { approval: 'approved' }), duplicate)[1]).toEqual([
			'own@x.yz',
		]);
	});

	it('a payment for a row that was declined has no receipt, and is no payment of the desk', () => {
		const [told, letters] = sumUp(row(1, null, 'own@x.yz', { approval: 'declined', link: null }));
		expect(letters).toEqual([]);
		expect(told).toContain('No row of the desk has this order.');
	});

	it.each(['Rows of the order', 'Mark the rows'])('%s: only what was approved', (name) => {
		const { conditions } = nodeOf(PAYMENTS, name).parameters.filters as { conditions: Row[] };
		expect(conditions).toEqual(
			expect.arrayContaining([
				{ keyName: 'approvedAt', condition: 'isNotEmpty' },
				{ keyName: 'approval', condition: 'neq', keyValue: 'declined' },
				{ keyName: 'approval', condition: 'neq', keyValue: 'not answered' },
			]),
		);
	});
});
