import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeResult } from '../../../dev/host/engine/index.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { adviceOf } from '../../helpers/advice.mts';
import { claimStore } from '../../helpers/claimStore.mts';
import {
	COLLECT,
	HOOK,
	LINK,
	outcomes,
	paramsOf,
	usePayments,
	type More as RunMore,
} from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';
import { json, startWire, type Wire } from '../../helpers/wire.mts';

/*
 * Every advice of a create, followed to the letter. Each case says which sentences it follows, and a
 * test compares them with all that the code can say: a new one needs a case. What counts is the
 * ledger of the service: nobody pays twice, and everybody who should pay does in the end.
 */

type Answer = (response: Parameters<Parameters<typeof startWire>[0]>[1]) => void;

interface Twist {
	/** Whether the service takes it before the answer is spoilt. */
	processed: boolean;
	answer: Answer;
}

const payments = usePayments({ onError: 'continueErrorOutput' });
const { accepted: count, sandbox, taken: paid } = payments;
/** What happens to the request of an order, once. */
const twists = new Map<string, Twist>();

/** Stands before the service and spoils some of its answers. */
const startFront = async (): Promise<Wire> =>
	await startWire(async (received, response) => {
		const order = received.method === 'GET' ? '' : orderIn(received);
		const twist = twists.get(order) ?? twists.get('every order');
		twists.delete(order);
		if (twist && !twist.processed) return twist.answer(response);
		const { path, method, text } = received;
		const { authorization } = received.headers;
		const headers = { ...(authorization && { authorization }) };
		const body = method === 'GET' ? undefined : text;
		const reply = await call(sandbox.url + path, { method, body, headers });
		const said = JSON.parse(reply.text) as unknown;
		if (twist) twist.answer(response);
		else json(response, reply.status, said);
	});
const orderIn = (received: { json: unknown }) =>
	String((paramsOf(received) as IDataObject | undefined)?.third_party_reference_1 ?? '');
const front = throughout(startFront);

beforeEach(() => twists.clear());
afterEach(() => jest.restoreAllMocks());

type More = Pick<RunMore, 'options' | 'account'> & { parameters?: INodeParameters };

/** One more run of the same workflow. */
const send = async (
	items: IDataObject[],
	{ parameters, options, account }: More = {},
): Promise<NodeResult> =>
	await payments.run({ ...COLLECT, ...parameters }, items, {
		options: { concurrency: 1, ...options },
		account: { baseUrl: front.url, ...account },
	});

const row = (order: string, changes: IDataObject = {}): IDataObject => ({
	order,
	amount: 10,
	...changes,
});
const ABCD = ['A', 'B', 'C', 'D'].map((order) => row(order));

/** Everything that a person can read after a run. */
const told = ({ successJson, failedJson, nodeHints }: NodeResult): string =>
	[
		...successJson.map(({ message }) => message),
		...failedJson.map(({ error }) => (error as IDataObject).description),
		...nodeHints.map(({ message }) => message),
	].join('\n');

/** The sentence is what the code says; "…" stands for what it puts in. */
function expectTold(result: NodeResult, ...sentences: string[]) {
	for (const sentence of sentences) {
		const words = sentence.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		expect(told(result)).toMatch(new RegExp(words.join('.*?')));
	}
}

const isThere = ({ order }: IDataObject) => sandbox.state.ledger.of(String(order)).length > 0;
const eachOnce = (rows: IDataObject[]) =>
	Object.fromEntries(rows.map(({ order }) => [String(order), 1]));

const SEVERAL_ROWS = [
	'If they are, remove all but one.',
	'If they are several, give all but the oldest ….',
];
const LOOK_UP_FIRST = 'Look it up in the service first: it may have been processed already.';
const LOOK_UP =
	"Look it up in the service, e.g. in its list of payment links or with 'Get' of 'Transaction': it may have been processed.";
const SEND_UNANSWERED =
	"If it is not there, set 'On Duplicate' to 'Send Unanswered', and run only rows that you did not find.";
const OWN_KEY =
	"If it is not there, give this row, and no other, a 'Duplicate Key' of its own: it is then sent as a new payment.";
const NEW_HOST =
	'If the service has moved to another host, run only rows that were not accepted: those that were are not known there.';
const CHARGE_AGAIN =
	'To charge once more on purpose, e.g. every month, give this payment …, e.g. with the month.';
const EVERY_MONTH =
	"For a charge that repeats, e.g. every month, give each one an order reference of its own, e.g. with the month, or a 'Duplicate Key' if you use it.";
const ANOTHER_PAYMENT = 'If this is another payment, give it ….';
const ONE_OF_TWO = 'If these are two payments, give one of them ….';
const BASE_URL = "Check the credential's 'Base URL'.";

const CASES: Array<[name: string, follows: string[], run: () => Promise<void>]> = [];

/** A case that follows these sentences. */
const follow = (name: string, follows: string[], run: (follows: string[]) => Promise<void>) =>
	CASES.push([name, follows, async () => await run(follows)]);

const lost: Answer = (response) => void response.socket?.destroy();
const said = (status: number, message: string): Twist => ({
	processed: false,
	answer: (response) => json(response, status, { success: false, message }),
});

/** Answers after which nobody knows, and what is advised in addition to looking it up. */
const UNKNOWN: Array<[name: string, answer: Twist['answer'], also?: string[], then?: More]> = [
	['no answer', lost],
	[
		'a 429',
		(response) => json(response, 429, { success: false, message: 'Slow down' }),
		["Lower 'Concurrency' or set 'Requests per Second' in the options."],
		{ options: { concurrency: 1, requestsPerSecond: 100 } },
	],
	[
		'a redirect',
		(response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
		["Check the credential's 'Base URL' (https or http, spelling)."],
	],
	['a page', (response) => void response.writeHead(200).end('<h1>Hello</h1>'), [BASE_URL]],
];

for (const [name, answer, also = [], then = {}] of UNKNOWN) {
	follow(`after ${name}`, [LOOK_UP_FIRST, LOOK_UP, SEND_UNANSWERED, ...also], async () => {
		// B was taken by the service, C was not, and neither has an answer.
		twists.set('B', { processed: true, answer });
		twists.set('C', { processed: false, answer });
		const first = await send(ABCD);
		expectTold(first, LOOK_UP_FIRST, ...also);
		// A redirect stops the others; they are sent by the next run, until C had its turn.
		let again = await send(ABCD, then);
		if (outcomes(again).includes('not_sent')) again = await send(ABCD, then);
		again = await send(ABCD, then);
		expect(outcomes(again)).toEqual(['duplicate', 'unknown', 'unknown', 'duplicate']);
		expectTold(again, LOOK_UP, SEND_UNANSWERED);

		const unknown = ABCD.filter((_, index) => outcomes(again)[index] === 'unknown');
		const missing = unknown.filter((each) => !isThere(each));
		expect(missing).toEqual([row('C')]);
		const last = await send(missing, { options: { onDuplicate: 'sendUnanswered' } });
		expect(outcomes(last)).toEqual(['accepted']);
		expect(paid()).toEqual(eachOnce(ABCD));
		await send(ABCD);
		expect(paid()).toEqual(eachOnce(ABCD));
	});
}

/** What is wrong is corrected, and the whole sheet is run again. */
const corrected = (
	name: string,
	follows: string[],
	wrong: More & { twist?: Twist },
	right: More = {},
) =>
	follow(name, follows, async () => {
		await send(ABCD.slice(0, 2));
		expect(paid()).toEqual(eachOnce(ABCD.slice(0, 2)));
		if (wrong.twist) twists.set('every order', wrong.twist);
		const first = await send(ABCD, wrong);
		expectTold(first, ...follows);
		twists.clear();
		const second = await send(ABCD, right);
		expect(outcomes(second)).toEqual(['duplicate', 'duplicate', 'accepted', 'accepted']);
		expect(paid()).toEqual(eachOnce(ABCD));
	});

/** Each message of the specification's error table with its advice. */
const NO: Array<[message: string, advice: string]> = [
	['Entity integration record not found', "Check the credential's 'Client ID' and 'Base URL'."],
	['Client ID not matched', 'Copy it from the application.'],
	[
		'Request was not verified',
		"Check the credential's 'Secret Key', 'Sender' (it must equal the integration's title) and 'Signature Template', and this machine's clock.",
	],
	['Country was not found', "Check 'Country' and 'Currency'."],
	['Transaction was not created', 'Check the amount, mobile number and payment method.'],
	['Payment link was not created', "Check 'Amount', 'Country', 'Currency' and the web addresses."],
	['User not found', "Check the credential's 'Client ID', and that the account is active."],
];

for (const [message, advice] of NO)
	corrected(`after "${message}"`, [advice], { twist: said(400, message) });

corrected(
	'with an address where nobody is',
	["Check the credential's 'Base URL', and that this machine can reach it…."],
	{ account: { baseUrl: 'http://127.0.0.1:9' } },
);
corrected('with a credential that is not complete', ['Open the credential and correct it.'], {
	account: { secretKey: '' },
});
corrected('with a field that is wrong', [], { parameters: { amount: 'a lot' } });
corrected('with an expression that goes wrong', ['Check the parameters of the node.'], {
	parameters: { amount: '={{ $("Nowhere").item.json.amount }}' },
});

follow(
	'with a database that does not write',
	["Check n8n's database, and that the workflow is saved."],
	async (follows) => {
		const broken = jest
			.spyOn(await claimStore(), 'checkProcessedAndRecord')
			.mockRejectedValue(new Error('the database is locked'));
		const first = await send(ABCD).finally(() => broken.mockRestore());
		expectTold(first, ...follows);
		expect(paid()).toEqual({});
		expect(outcomes(await send(ABCD))).toEqual(Array(4).fill('accepted'));
		expect(paid()).toEqual(eachOnce(ABCD));
	},
);

follow('when the service has moved to another host', [NEW_HOST], async (follows) => {
	await send(ABCD.slice(0, 2));
	const gone: Twist = {
		processed: false,
		answer: (response) => void response.writeHead(308, { location: 'http://new/' }).end(),
	};
	twists.set('every order', gone);
	const first = await send(ABCD);
	twists.clear();
	expectTold(first, ...follows);
	const known = outcomes(first);
	const rest = ABCD.filter((_, index) => !['accepted', 'duplicate'].includes(String(known[index])));
	const moved = await startFront();
	const missing = rest.filter((each) => !isThere(each));
	await send(missing, { account: { baseUrl: moved.url } }).finally(moved.close);
	expect(paid()).toEqual(eachOnce(ABCD));
});

const without = (phone: string, changes: IDataObject = {}) => row('', { phone, ...changes });
const TENANTS = ['0712345671', '0712345672', '0712345673'].map((phone) => without(phone));
const chargesOf = (phone: string) =>
	sandbox.state.ledger.countBy('mobile')[phone.replace(/^0/, '254')] ?? 0;
const byKey = { options: { duplicateKey: '={{ $json.key }}' } };

follow('to charge one of several once more', [CHARGE_AGAIN], async (follows) => {
	await send(TENANTS);
	expectTold(await send(TENANTS), ...follows);
	const [first, ...others] = TENANTS;
	const sheet = [{ ...first, order: 'rent 2026-06' }, ...others];
	expect(outcomes(await send(sheet))).toEqual(['accepted', 'duplicate', 'duplicate']);
	await send(sheet);
	expect(count()).toBe(4);
});

follow('to charge every month', [EVERY_MONTH], async (follows) => {
	const month = (name: string) =>
		TENANTS.map((each) => ({ ...each, order: `${String(each.phone)} ${name}` }));
	await send(TENANTS);
	expectTold(await send(TENANTS), ...follows);
	for (const [name, all] of [
		['2026-06', 6],
		['2026-06', 6],
		['2026-07', 9],
		['2026-07', 9],
	] as const) {
		await send(month(name));
		expect(count()).toBe(all);
	}
});

follow(
	'an order with another amount that is another payment',
	['If this row is another payment, give it ….'],
	async (follows) => {
		await send([row('A')]);
		expectTold(await send([row('A', { amount: 20 })]), ...follows);
		await send([row('A', { amount: 10 }), row('A2', { amount: 20 })]);
		expect(paid()).toEqual({ A: 1, A2: 1 });
	},
);

follow('after n8n was stopped in the middle of a look-up', [LOOK_UP, SEND_UNANSWERED], async () => {
	const store = await claimStore();
	const recorded = jest.spyOn(store, 'checkProcessedAndRecord');
	const keyOf = async (order: string) => {
		recorded.mockClear();
		await send([row(order)]);
		const [[, key], ...context] = recorded.mock.calls[0]! as [[string, string], ...unknown[]];
		return { key, context };
	};
	twists.set('B', { processed: false, answer: lost });
	for (const { key, context } of [await keyOf('A'), await keyOf('B')]) {
		// What a killed process leaves behind of a look-up.
		await store.checkProcessedAndRecord([`${key} answered`, `${key} answered asked`], ...context);
	}
	const sheet = [row('A'), row('B')];
	const unclear = await send(sheet);
	expect(outcomes(unclear)).toEqual(['unknown', 'unknown']);
	expectTold(unclear, LOOK_UP, SEND_UNANSWERED);
	const missing = sheet.filter((each) => !isThere(each));
	expect(missing).toEqual([row('B')]);
	const named = sheet.map((each) => (isThere(each) ? each : { ...each, key: 'B, 2nd' }));
	await send(named, byKey);
	await send(named, byKey);
	expect(paid()).toEqual({ A: 1, B: 1 });
});

follow(
	'while another run is sending it',
	['Wait for half an hour, and look at the result of that run.'],
	async (follows) => {
		sandbox.faults.add({ kind: 'latency', delayMs: 500, first: 1 });
		const one = send([row('A')]);
		while (count() === 0) await new Promise(setImmediate);
		const other = await send([row('A')]);
		expectTold(other, ...follows);
		expect(outcomes(await one)).toEqual(['accepted']);
		expect(paid()).toEqual({ A: 1 });
	},
);

/** Rows of one input that are refused. */
const twice = { options: { onDuplicate: 'error' } };
const lines = (...names: string[]) => names.map((line) => without('0712345678', { line }));

follow(
	'the same row twice',
	["Remove one of them, or set 'On Duplicate' to 'Skip'.", ONE_OF_TWO],
	async (follows) => {
		const sheet = [row('A'), row('A'), row('B')];
		expectTold(await send(sheet, twice), ...follows);
		expect(paid()).toEqual({ A: 1, B: 1 });
		await send(sheet.slice(1), { options: { onDuplicate: 'skip' } });
		await send(sheet);
		expect(paid()).toEqual({ A: 1, B: 1 });
		expect(outcomes(await send([row('A'), row('A2'), row('B')]))).toEqual([
			'duplicate',
			'accepted',
			'duplicate',
		]);
	},
);

follow(
	'one order with two amounts, of which one was paid before',
	SEVERAL_ROWS,
	async (follows) => {
		await send([row('A')]);
		const sheet = [row('A'), row('A', { amount: 20 }), row('B')];
		expectTold(await send(sheet), ...follows);
		expect(paid()).toEqual({ A: 1, B: 1 });
		await send([row('A'), row('B')]);
		expect(paid()).toEqual({ A: 1, B: 1 });
		await send([row('A'), row('A2', { amount: 20 }), row('B')]);
		expect(paid()).toEqual({ A: 1, A2: 1, B: 1 });
	},
);

follow('two rows that differ in a column', SEVERAL_ROWS, async (follows) => {
	const [one, two] = lines('1', '2') as [IDataObject, IDataObject];
	const sheet = [one, two, ...TENANTS];
	await send([one]);
	expectTold(await send(sheet), ...follows);
	expect(count()).toBe(4);
	await send([one, ...TENANTS]);
	expect(count()).toBe(4);
	const named = [one, { ...two, order: 'of its own' }, ...TENANTS];
	await send(named);
	await send(named);
	expect(chargesOf('0712345678')).toBe(2);
	expect(count()).toBe(5);
});

follow('Send Unanswered while the service cannot be asked', [OWN_KEY], async (follows) => {
	const options = { onDuplicate: 'sendUnanswered', timeoutSeconds: 1 };
	twists.set('A', { processed: false, answer: lost });
	await send([row('A')]);
	twists.set('every order', { processed: false, answer: lost });
	expectTold(await send([row('A')], { options }), ...follows);
	twists.clear();
	expect(isThere(row('A'))).toBe(false);
	const named = { options: { ...options, duplicateKey: 'A, again' } };
	await send([row('A')], named);
	await send([row('A')], named);
	expect(paid()).toEqual({ A: 1 });
});

/** Links, whose callback URL carries the order; all rows are changed, also those that were sent. */
const links = (callbackUrl = ''): More => ({ parameters: { ...LINK, callbackUrl } });

follow('a shorter address', ['For later rows, give a shorter address'], async (follows) => {
	const long = links(`${HOOK}/${'x'.repeat(250)}`);
	expectTold(await send(ABCD, long), ...follows);
	const again = await send([...ABCD, row('E')], links(HOOK));
	expect(outcomes(again)).toEqual([...ABCD.map(() => 'duplicate'), 'accepted']);
	expect(told(again)).not.toContain(follows[0]);
	expect(sandbox.state.links).toHaveLength(5);
});

follow(
	'references that can be carried',
	['For later orders, give references of at most 128 ordinary characters'],
	async (follows) => {
		const long = row('x'.repeat(200));
		expectTold(await send([long], links(HOOK)), ...follows);
		const again = await send([long, row('E')], links(HOOK));
		expect(outcomes(again)).toEqual(['duplicate', 'accepted']);
		expect(sandbox.state.links).toHaveLength(2);
	},
);

/** What a check of these rows gives for an approval. */
const fingerprintOf = async (items: IDataObject[]): Promise<string> =>
	String((await send(items, { parameters: { operation: 'check' } })).successJson[0]!.fingerprint);

follow(
	'rows that were changed after the approval',
	[
		"Run 'Check' again with these rows, with the same settings as here, and have the new fingerprint approved.",
	],
	async (follows) => {
		await send(ABCD.slice(0, 1));
		const approvedFingerprint = await fingerprintOf(ABCD);
		const changed = [...ABCD.slice(0, 3), row('D', { amount: 11 })];
		expectTold(await send(changed, { options: { approvedFingerprint } }), ...follows);
		expect(paid()).toEqual({ A: 1 });
		const anew = await fingerprintOf(changed);
		for (let time = 0; time < 2; time++) {
			await send(changed, { options: { approvedFingerprint: anew } });
			expect(paid()).toEqual(eachOnce(ABCD));
		}
	},
);

follow(
	'a sum above the limit',
	["If they are right, raise 'Max Total' in the options; if not, correct or remove some of them."],
	async (follows) => {
		await send(ABCD.slice(0, 1));
		expectTold(await send(ABCD, { options: { maxTotal: 25 } }), ...follows);
		expect(paid()).toEqual({ A: 1 });
		await send(ABCD.slice(0, 3), { options: { maxTotal: 25 } });
		expect(paid()).toEqual({ A: 1, B: 1, C: 1 });
		await send(ABCD, { options: { maxTotal: 30 } });
		expect(paid()).toEqual(eachOnce(ABCD));
	},
);

follow(
	'an amount above the limit',
	["If the amount is right, raise 'Max Amount' in the options; if not, correct it."],
	async (follows) => {
		const rows = [row('A'), row('B', { amount: 1000 })];
		expectTold(await send(rows, { options: { maxAmount: 100 } }), ...follows);
		expect(paid()).toEqual({ A: 1 });
		await send(rows, { options: { maxAmount: 1000 } });
		expect(paid()).toEqual({ A: 1, B: 1 });
	},
);

/** Said about reads, which change nothing. */
const OF_READS = [
	"Check the credential's 'Base URL'; if it is right, whoever runs n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES",
	'Run it again later.',
	'Check the values that were sent.',
	"Check the credential's 'Client ID', 'Sender' and 'Secret Key'.",
	"Ask for it later with 'Get' of 'Transaction', wait longer, or set 'On Timeout' to 'Continue'.",
];

/** Said about waiting, before anything is sent: another credential is another first run. */
const OF_WAITS = [
	'Choose a credential without expressions.',
	'Choose the credential here that the node has which created them.',
];

/** Said about the credential, most of it in n8n's HTTP Request node, before anything is sent. */
const OF_CREDENTIALS = [
	'Give a whole address, e.g. https://payments.example.com.',
	"Set the credential's 'Signature Source' to 'Computed Here' to use it in other nodes.",
];

/** Said beside or in place of an advice that has a case. */
const ALSO = [
	ANOTHER_PAYMENT,
	'Correct it first, if something in it was wrong.',
	'For this payment, which was sent already, take the link from the service, or give it ….',
	'If it corrects the first one, tell the customer which of them to pay, and give this row … as well.',
];

it('every advice in the code has a case, and no case follows one that is gone', () => {
	const cases = CASES.flatMap(([, follows]) => follows);
	const followed = new Set([...cases, ...OF_READS, ...OF_WAITS, ...OF_CREDENTIALS, ...ALSO]);
	expect([...followed].sort()).toEqual(adviceOf('rows', 'transport', 'waiting', 'protocol').sort());
});

it.each(CASES)('the advice is safe and works: %s', async (_, __, run) => await run());
