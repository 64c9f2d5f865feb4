import { evaluate, fieldsOf, FILES, nodeOf, readWorkflow, run } from './runExample.mts';
import type { Outputs, Row } from './runExample.mts';

/** Everything that Slack would read as markup, and a second line; `\\n` and `&lt;` are read by n8n's send-and-wait. */
const HOSTILE =
	'evil <!channel> <https://evil.example|renew> <@U1> &lt;!here&gt;\nFALSE one\r\nFALSE two\u2028FALSE three\\nFALSE four\u202e';
const hostile = <Key extends string>(...keys: Key[]) =>
	Object.fromEntries(keys.map((key) => [key, HOSTILE])) as Record<Key, string>;

/** What somebody can put into a payment that the service then confirms. */
const TRANSACTION = {
	...hostile('ref', 'status', 'currency', 'transaction_detail', 'mobile', 'amount'),
	failureReason: { failureMessage: HOSTILE },
};
const REJECTED = {
	...hostile('message', 'advice', 'reason', 'reference'),
	callback: { receivedAt: HOSTILE },
};
const PAYMENT = { ...hostile('reference', 'order', 'state', 'currency'), asked: 5, paid: 1 };
const ROW = {
	...hostile('order', 'firstName', 'item', 'instead', 'message'),
	currency: 'KES',
	...{ id: 1, amount: 5, outcome: 'accepted', state: HOSTILE, paid: 0, updatedAt: '2026-01-02' },
};

/**
 * For each text: what the nodes before it gave, and the node that makes the text when it is not Slack
 * itself. After a comma stands another way to the same node.
 */
const SCENES: Record<string, { outputs: Outputs; from?: string; input?: Row[] }> = {
	'balance-watch.json: Tell the team': {
		outputs: { 'Not reported yet': [hostile('wallet', 'balance', 'currency', 'limit')] },
	},
	'status-alerts-to-slack.json: Tell the team': {
		from: 'Message',
		outputs: {
			'Payment changed': [
				{
					...hostile('orderReference'),
					state: 'success',
					paidInFull: false,
					asked: hostile('amount', 'currency'),
					transaction: TRANSACTION,
				},
			],
		},
	},
	'status-alerts-to-slack.json: Warn security': {
		from: 'Warning',
		outputs: { 'Payment changed': [REJECTED] },
	},
	'paid-and-marked-in-the-sheet.json: Tell the team': {
		outputs: { 'Sum up': [PAYMENT], 'Mark the row': [ROW] },
	},
	'paid-and-marked-in-the-sheet.json: Warn security': {
		outputs: { 'Payment changed': [REJECTED] },
	},
	'desk/payments.json: Tell the team': {
		from: 'Sum up',
		input: [ROW],
		outputs: {
			'Keep the payment': [{ ...PAYMENT, askedCurrency: HOSTILE }],
			'Payments of the order': [],
		},
	},
	'desk/payments.json: Tell the team, at the close of day': {
		from: 'Add up',
		outputs: {
			Settings: [{ start: '2026-01-02', until: '2026-01-03' }],
			Rows: [ROW, { ...ROW, order: `${HOSTILE} 2`, outcome: 'rejected' }],
			Payments: [
				{ ...hostile('reference', 'currency'), order: 'X', state: 'success', at: '2026-01-02' },
			],
			'Letters so far': [
				{
					...{ ...hostile('to', 'text'), key: 'link', kind: 'link', at: '2026-01-02' },
					...{ orders: JSON.stringify([HOSTILE]), state: `refused: ${HOSTILE}` },
				},
			],
		},
	},
	'desk/payments.json: Warn security': { outputs: { 'Payment changed': [REJECTED] } },
	'desk/links.json: Tell the team': {
		from: 'Sum up',
		input: [ROW, { ...ROW, outcome: 'rejected' }, { ...ROW, outcome: 'unknown' }],
		outputs: {},
	},
	'desk/links.json: Tell the team, of a letter that may have left': {
		outputs: { $json: [hostile('key', 'to', 'text')] },
	},
	'desk/links.json: Ask in Slack': {
		from: 'The question',
		input: [{ valid: 3, fingerprint: 'abc', totals: [{ currency: 'KES', rows: 3, amount: 99.5 }] }],
		outputs: { 'Its rows': [{ ...ROW, batch: 'b', ...hostile('uploadedBy', 'file') }] },
	},
	'payments-for-an-assistant.json: Ask in Slack': {
		outputs: {
			'Check the rows': [
				{
					...{ valid: 1, fingerprint: 'abc', totals: [{ currency: 'KES', rows: 1, amount: 99.5 }] },
					items: [hostile('amount', 'mobile', 'country', 'order', 'why')],
				},
			],
		},
	},
};

/** What n8n makes of the message of send-and-wait: it takes escaping back, and reads `\\n` as a line. */
const asSendAndWait = (text: string) =>
	text
		.replaceAll(/&amp;|&lt;|&gt;/g, (sign) => ({ '&amp;': '&', '&lt;': '<' })[sign] ?? '>')
		.replaceAll('\\n', '\n')
		.replaceAll('<br>', '\n');

const FILE_AND_NODE = /^(.+\.json): ([^,]+)/;

function textOf(scene: string): string {
	const [, file, name] = FILE_AND_NODE.exec(scene) as unknown as [string, string, string];
	const { from, input, outputs } = SCENES[scene]!;
	let made = outputs;
	if (from !== undefined) {
		const isCode = nodeOf(file, from).type === 'n8n-nodes-base.code';
		const $json = isCode ? run(file, from, input, outputs) : [fieldsOf(file, from, outputs)];
		made = { ...outputs, [from]: $json, $json };
	}
	const { operation, text, message } = nodeOf(file, name).parameters;
	const said = String(evaluate(file, name, message ?? text, made));
	return operation === 'sendAndWait' ? asSendAndWait(said) : said;
}

it('every text that goes to Slack has a scene here', () => {
	const played = Object.keys(SCENES).map((scene) => FILE_AND_NODE.exec(scene)![0]);
	const texts = FILES.flatMap((file) =>
		readWorkflow(file)
			.nodes.filter(({ type }) => type === 'n8n-nodes-base.slack')
			.map(({ name }) => `${file}: ${name}`),
	);
	expect(new Set(played)).toEqual(new Set(texts));
});

it.each(Object.keys(SCENES))(
	'%s: shows what others typed as text, in one line, and never as markup',
	(scene) => {
		const text = textOf(scene);
		expect(text).toContain('evil');
		expect(text).not.toMatch(/[<>]/);
		expect(text).not.toMatch(/&(?!(amp|lt|gt);)/);
		expect(text).not.toMatch(/^\s*FALSE/m);
		expect(text).not.toMatch(/[\r\u2028\u202e]/);
		expect(text).not.toMatch(/NaN|undefined|\bnull\b|\[object/);
	},
);
