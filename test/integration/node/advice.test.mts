import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeResult } from '../../../dev/host/engine/index.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { ADVICE, type Advice } from '../../../nodes/UnifiedPayments/protocol/advice.ts';
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
 * Every advice of a create, followed to the letter. Each case says by name which advice it follows: a
 * new one needs a case. What counts is the
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

/** Whether it is said, whatever stands for `{own}`. */
function isTold(result: NodeResult, advice: Advice): boolean {
	const words = ADVICE[advice]
		.split('{own}')
		.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(words.join('.*?')).test(told(result));
}

function expectTold(result: NodeResult, ...advice: Advice[]) {
	expect(advice.filter((each) => !isTold(result, each))).toEqual([]);
}

const isThere = ({ order }: IDataObject) => sandbox.state.ledger.of(String(order)).length > 0;
const eachOnce = (rows: IDataObject[]) =>
	Object.fromEntries(rows.map(({ order }) => [String(order), 1]));

const CASES: Array<[name: string, follows: Advice[], run: () => Promise<void>]> = [];

/** A case that follows these sentences. */
const follow = (name: string, follows: Advice[], run: (follows: Advice[]) => Promise<void>) =>
	CASES.push([name, follows, async () => await run(follows)]);

const lost: Answer = (response) => void response.socket?.destroy();
const said = (status: number, message: string): Twist => ({
	processed: false,
	answer: (response) => json(response, status, { success: false, message }),
});

/** Answers after which nobody knows, and what is advised in addition to looking it up. */
const UNKNOWN: Array<[name: string, answer: Twist['answer'], also?: Advice[], then?: More]> = [
	['no answer', lost],
	[
		'a 429',
		(response) => json(response, 429, { success: false, message: 'Slow down' }),
		['slower'],
		{ options: { concurrency: 1, requestsPerSecond: 100 } },
	],
	[
		'a redirect',
		(response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
		['redirected'],
	],
	['a page', (response) => void response.writeHead(200).end('<h1>Hello</h1>'), ['baseUrl']],
];

for (const [name, answer, also = [], then = {}] of UNKNOWN) {
	follow(`after ${name}`, ['lookUpFirst', 'lookUp', 'sendUnanswered', ...also], async () => {
		// B was taken by the service, C was not, and neither has an answer.
		twists.set('B', { processed: true, answer });
		twists.set('C', { processed: false, answer });
		const first = await send(ABCD);
		expectTold(first, 'lookUpFirst', ...also);
		// A redirect stops the others; they are sent by the next run, until C had its turn.
		let again = await send(ABCD, then);
		if (outcomes(again).includes('not_sent')) again = await send(ABCD, then);
		again = await send(ABCD, then);
		expect(outcomes(again)).toEqual(['duplicate', 'unknown', 'unknown', 'duplicate']);
		expectTold(again, 'lookUp', 'sendUnanswered');

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
	follows: Advice[],
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
const NO: Array<[message: string, advice: Advice]> = [
	['Entity integration record not found', 'unknownIntegration'],
	['Client ID not matched', 'otherClient'],
	['Request was not verified', 'notVerified'],
	['Country was not found', 'countryNotOffered'],
	['Transaction was not created', 'noTransaction'],
	['Payment link was not created', 'noLink'],
	['User not found', 'noUser'],
];

for (const [message, advice] of NO)
	corrected(`after "${message}"`, [advice], { twist: said(400, message) });

corrected('with an address where nobody is', ['unreachable'], {
	account: { baseUrl: 'http://127.0.0.1:9' },
});
corrected('with a credential that is not complete', ['credential'], {
	account: { secretKey: '' },
});
corrected('with a field that is wrong', [], { parameters: { amount: 'a lot' } });
corrected('with an expression that goes wrong', ['parameters'], {
	parameters: { amount: '={{ $("Nowhere").item.json.amount }}' },
});

follow('with a database that does not write', ['database'], async (follows) => {
	const broken = jest
		.spyOn(await claimStore(), 'checkProcessedAndRecord')
		.mockRejectedValue(new Error('the database is locked'));
	const first = await send(ABCD).finally(() => broken.mockRestore());
	expectTold(first, ...follows);
	expect(paid()).toEqual({});
	expect(outcomes(await send(ABCD))).toEqual(Array(4).fill('accepted'));
	expect(paid()).toEqual(eachOnce(ABCD));
});

follow('when the service has moved to another host', ['newHost'], async (follows) => {
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

follow('to charge one of several once more', ['chargeAgain'], async (follows) => {
	await send(TENANTS);
	expectTold(await send(TENANTS), ...follows);
	const [first, ...others] = TENANTS;
	const sheet = [{ ...first, order: 'rent 2026-06' }, ...others];
	expect(outcomes(await send(sheet))).toEqual(['accepted', 'duplicate', 'duplicate']);
	await send(sheet);
	expect(count()).toBe(4);
});

follow('to charge every month', ['chargeEveryMonth'], async (follows) => {
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

follow('an order with another amount that is another payment', ['anotherRow'], async (follows) => {
	await send([row('A')]);
	expectTold(await send([row('A', { amount: 20 })]), ...follows);
	await send([row('A', { amount: 10 }), row('A2', { amount: 20 })]);
	expect(paid()).toEqual({ A: 1, A2: 1 });
});

follow(
	'after n8n was stopped in the middle of a look-up',
	['lookUp', 'sendUnanswered'],
	async () => {
		const store = await claimStore();
		const recorded = jest.spyOn(store, 'checkProcessedAndRecord');
		const answerOf = async (order: string) => {
			recorded.mockClear();
			await send([row(order)]);
			const [[, values], ...context] = recorded.mock.calls[0]! as [string[], ...unknown[]];
			return { answered: `${values} answered`, context };
		};
		twists.set('B', { processed: false, answer: lost });
		for (const { answered, context } of [await answerOf('A'), await answerOf('B')]) {
			// What a killed process leaves behind of a look-up.
			await store.checkProcessedAndRecord([answered, `${answered} asked`], ...context);
		}
		const sheet = [row('A'), row('B')];
		const unclear = await send(sheet);
		expect(outcomes(unclear)).toEqual(['unknown', 'unknown']);
		expectTold(unclear, 'lookUp', 'sendUnanswered');
		const missing = sheet.filter((each) => !isThere(each));
		expect(missing).toEqual([row('B')]);
		const named = sheet.map((each) => (isThere(each) ? each : { ...each, key: 'B, 2nd' }));
		await send(named, byKey);
		await send(named, byKey);
		expect(paid()).toEqual({ A: 1, B: 1 });
	},
);

follow('while another run is sending it', ['waitForOtherRun'], async (follows) => {
	sandbox.faults.add({ kind: 'latency', delayMs: 500, first: 1 });
	const one = send([row('A')]);
	while (count() === 0) await new Promise(setImmediate);
	const other = await send([row('A')]);
	expectTold(other, ...follows);
	expect(outcomes(await one)).toEqual(['accepted']);
	expect(paid()).toEqual({ A: 1 });
});

/** Rows of one input that are refused. */
const twice = { options: { onDuplicate: 'error' } };
const lines = (...names: string[]) => names.map((line) => without('0712345678', { line }));

follow('the same row twice', ['removeRepeat', 'oneOfTwo'], async (follows) => {
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
});

follow(
	'one order with two amounts, of which one was paid before',
	['oneOrSeveral'],
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

follow('two rows that differ in a column', ['oneOrSeveral'], async (follows) => {
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

follow(
	'Send Unanswered while the service cannot be asked',
	['keyForOneNotFound'],
	async (follows) => {
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
	},
);

/** Links, whose callback URL carries the order; all rows are changed, also those that were sent. */
const links = (callbackUrl = ''): More => ({ parameters: { ...LINK, callbackUrl } });

follow('a shorter address', ['shorterAddress'], async (follows) => {
	const long = links(`${HOOK}/${'x'.repeat(250)}`);
	expectTold(await send(ABCD, long), ...follows);
	const again = await send([...ABCD, row('E')], links(HOOK));
	expect(outcomes(again)).toEqual([...ABCD.map(() => 'duplicate'), 'accepted']);
	expect(follows.filter((each) => isTold(again, each))).toEqual([]);
	expect(sandbox.state.links).toHaveLength(5);
});

follow('references that can be carried', ['ordinaryReference'], async (follows) => {
	const long = row('x'.repeat(200));
	expectTold(await send([long], links(HOOK)), ...follows);
	const again = await send([long, row('E')], links(HOOK));
	expect(outcomes(again)).toEqual(['duplicate', 'accepted']);
	expect(sandbox.state.links).toHaveLength(2);
});

/** What a check of these rows gives for an approval. */
const fingerprintOf = async (items: IDataObject[]): Promise<string> =>
	String((await send(items, { parameters: { operation: 'check' } })).successJson[0]!.fingerprint);

follow('rows that were changed after the approval', ['checkAgain'], async (follows) => {
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
});

follow('a sum above the limit', ['maxTotal'], async (follows) => {
	await send(ABCD.slice(0, 1));
	expectTold(await send(ABCD, { options: { maxTotal: 25 } }), ...follows);
	expect(paid()).toEqual({ A: 1 });
	await send(ABCD.slice(0, 3), { options: { maxTotal: 25 } });
	expect(paid()).toEqual({ A: 1, B: 1, C: 1 });
	await send(ABCD, { options: { maxTotal: 30 } });
	expect(paid()).toEqual(eachOnce(ABCD));
});

follow('an amount above the limit', ['maxAmount'], async (follows) => {
	const rows = [row('A'), row('B', { amount: 1000 })];
	expectTold(await send(rows, { options: { maxAmount: 100 } }), ...follows);
	expect(paid()).toEqual({ A: 1 });
	await send(rows, { options: { maxAmount: 1000 } });
	expect(paid()).toEqual({ A: 1, B: 1 });
});

/** What has no case: it is about reads, waits or the credential, or said beside an advice that has one. */
const WITHOUT_CASE: Advice[] = [
	...(['blockedByHost', 'runLater', 'values', 'account', 'askLater', 'otherReference'] as const),
	...(['plainCredential', 'sameCredential', 'wholeAddress', 'computedHere'] as const),
	...(['anotherPayment', 'correctFirst', 'linkByMark'] as const),
];

it('every advice has a case', () => {
	const cases = CASES.flatMap(([, follows]) => follows);
	expect([...new Set([...cases, ...WITHOUT_CASE])].sort()).toEqual(Object.keys(ADVICE).sort());
});

it('nothing is advised but by its name', () => {
	const all = Object.values(ADVICE).join('\n');
	const said = adviceOf('rows', 'transport', 'waiting', 'protocol');
	expect(said.filter((each) => !all.includes(each))).toEqual([]);
});

it.each(CASES)('the advice is safe and works: %s', async (_, __, run) => await run());
