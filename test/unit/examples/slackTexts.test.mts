import { evaluate, fieldsOf, FILES, nodeOf, readWorkflow, run } from './runExample.mts';
import type { Outputs, Row } from './runExample.mts';

/** Everything that Slack would read as markup, and a second line. */
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
	'remind-and-close-of-day.json: Tell the team': {
		from: 'Close of day',
		outputs: {
			Settings: [{ remindAfterDays: 2, remindEveryDays: 3 }],
			Orders: [
				{ ...hostile('order', 'currency', 'customer'), amount: 5, paid: 1, state: 'part payment' },
			],
			Payments: [{ ...hostile('reference', 'currency', 'amount'), order: 'X', state: 'success' }],
			'To look up': [{ reference: HOSTILE, order: HOSTILE }],
			'Look up': [{ error: { kind: 'noAnswer', message: HOSTILE } }],
		},
	},
};

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
	return String(evaluate(file, name, nodeOf(file, name).parameters.text, made));
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
