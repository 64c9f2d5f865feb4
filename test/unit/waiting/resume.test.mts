import { sleep, type INodeExecutionData, type IWebhookFunctions } from 'n8n-workflow';

import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { readAside } from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { resumeExecution } from '../../../nodes/UnifiedPayments/waiting/resume.ts';
import { PAUSES } from '../../../nodes/UnifiedPayments/waiting/status.ts';
import {
	addressOf,
	asleep,
	created,
	recordOf,
	SAVED,
	serviceWith,
	type Service,
} from './service.mts';

interface Call {
	/** What the node put aside. */
	items?: Json[];
	/** The address that is called. */
	url?: string;
	/** Where the host has it: in Express's name for it, in Node's, or not at all. */
	urlIn?: 'originalUrl' | 'url' | 'nowhere';
	body?: unknown;
	saved?: Json;
	service?: Service;
	/** Which execution and which node are called. */
	execution?: string;
	node?: string;
	contentType?: string;
}

let executions = 0;
/** Each test has an execution of its own: what is known of one is kept. */
beforeEach(() => void executions++);

const ONE = () => [asleep('A-1')];
const OF = (order: string, over: Json = {}) => ({ ref: `TX-${order}`, status: 'success', ...over });
const PAID = () => serviceWith({ 'A-1': recordOf('A-1') });

const AGAIN = '503 try_again_later';

/** One call of the address that wakes an execution, and what came of it. */
async function call({
	items = ONE(),
	url = addressOf('A-1'),
	urlIn = 'originalUrl',
	body = OF('A-1'),
	saved = {},
	service = PAID(),
	execution = `execution ${executions}`,
	node = 'node',
	contentType = 'application/json',
}: Call = {}) {
	let answer: string | undefined;
	const logged: unknown[] = [];
	const headers: Record<string, string> = {};
	const context = {
		getExecutionId: () => execution,
		getNode: () => ({ id: node, name: 'Collect' }),
		getCredentials: async () => ({ ...SAVED, ...saved }),
		getQueryData: () => ({}),
		getBodyData: () => body,
		getRequestObject: () => ({
			...(body !== undefined && { rawBody: Buffer.from(JSON.stringify(body)) }),
			...(urlIn !== 'nowhere' && { [urlIn]: url }),
		}),
		getHeaderData: () => ({ 'content-type': contentType }),
		evaluateExpression: (expression: string, row: number) =>
			expression === '{{ $input.all() }}' && row === 0 ? items.map((json) => ({ json })) : [],
		getResponseObject: () => ({
			setHeader: (name: string, value: string) => (headers[name] = value),
			status: (status: number) => ({
				json({ reason, ...body }: Json) {
					expect(body).toEqual({ accepted: status === 200 });
					answer = `${status} ${String(reason)}`;
				},
			}),
		}),
		helpers: service,
		logger: { info: (...line: unknown[]) => logged.push(line) },
	} as unknown as IWebhookFunctions;
	const result = await resumeExecution.call(context);
	const woken = result.workflowData?.[0] as INodeExecutionData[] | undefined;
	// It is either woken, and n8n answers, or answered, and sleeps on.
	expect(woken === undefined).toBe(result.noWebhookResponse === true);
	expect(woken === undefined).toBe(answer !== undefined);
	// Whoever shall come again is told when.
	expect('Retry-After' in headers).toBe(answer?.startsWith('503') === true);
	const states = woken?.map(({ json }) => json.state);
	return { result, woken, states, answer, logged, asked: service.asked };
}

/** Many payments of one execution: their items, and how the service records them once they are paid. */
function manyOf(count: number) {
	const orders = Array.from({ length: count }, (_, row) => `O-${row}`);
	const urlOf = (order: string) => addressOf(order, orders.indexOf(order));
	const items = () => orders.map((order) => asleep(order, {}, { callback_url: urlOf(order) }));
	const records = () =>
		Object.fromEntries(
			orders.map((order) => [order, recordOf(order, { callback_url: urlOf(order) })]),
		);
	return { orders, urlOf, items, records };
}

/** A service that answers nothing until it is told to. */
function slow(service: Service): { service: Service; goOn(): void } {
	let goOn = () => {};
	const told = new Promise<void>((resolve) => (goOn = resolve));
	const ask = service.httpRequestWithAuthentication;
	service.httpRequestWithAuthentication = async (...request) => {
		await told;
		return await ask(...request);
	};
	return { service, goOn };
}

/** The waits for a record that is behind are not waited for here. */
function quickly() {
	const waited: number[] = [];
	const real = setTimeout;
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) => {
		const isPatience = ms === PAUSES.behindCallback;
		if (isPatience) waited.push(ms);
		return real(work, isPatience ? 0 : ms);
	}) as typeof setTimeout);
	return waited;
}
afterEach(() => jest.restoreAllMocks());

describe('an execution that sleeps', () => {
	it('goes on when the service says that its payment is final', async () => {
		const service = serviceWith({ 'A-1': recordOf('A-1', { note: 'secret-key' }) });
		const { result, woken, asked, logged } = await call({ service });
		expect(JSON.stringify(woken)).not.toContain('secret-key');
		expect(woken).toEqual([
			{
				json: {
					...readAside(asleep('A-1')).json,
					reference: 'TX-A-1',
					state: 'success',
					asked: { amount: 10, currency: 'KES' },
					paidInFull: true,
					transaction: expect.objectContaining({
						ref: 'TX-A-1',
						state: 'success',
						amount: 10,
					}) as object,
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(result.webhookResponse).toEqual({ accepted: true });
		expect(asked).toEqual(['A-1']);
		expect(logged).toEqual([]);
	});

	it.each(['originalUrl', 'url'] as const)('whose address the host has in %s', async (urlIn) => {
		const service = serviceWith({ 'TX-A-1': recordOf('A-1') });
		expect((await call({ urlIn, service })).woken).toHaveLength(1);
	});

	it('keeps what is not waited for as it is', async () => {
		const others = [
			{ error: { message: 'x' } },
			created('B-1', { state: 'failed' }),
			{ outcome: 'not_sent', state: 'timedOut' },
			{ ...asleep('C-1'), awaited: undefined },
		];
		const { woken, asked } = await call({ items: [...others, ...ONE()] });
		expect(woken!.slice(0, 4).map(({ json }) => json)).toEqual(others);
		expect(woken![4]).toMatchObject({ json: { state: 'success' }, pairedItem: { item: 4 } });
		expect(asked).toEqual(['A-1']);
	});

	it('is not waiting for the payment of another', async () => {
		for (const url of [addressOf('B-1'), addressOf('A-1', 1)]) {
			const { answer, asked, logged } = await call({ url });
			expect([answer, asked]).toEqual(['409 not_awaited_now', []]);
			expect(logged).toEqual([
				[
					'Unified Payments: a callback to a waiting execution was not used: not_awaited_now',
					{ reason: 'not_awaited_now', node: 'Collect', execution: `execution ${executions}` },
				],
			]);
		}
	});

	it('is not woken by an address that names no payment, and says so', async () => {
		const own = addressOf('A-1');
		const mark = own.slice(own.indexOf('upo='));
		const plain = '/webhook-waiting/17/unified-payments?signature=abc';
		const bad: Call[] = [{ url: plain }, { url: `${own}&${mark}` }, { urlIn: 'nowhere' }];
		for (const given of bad) {
			const { answer, asked } = await call(given);
			expect([answer, asked]).toEqual(['400 no_payment', []]);
		}
	});

	it('is not waiting for what has gone on already', async () => {
		const items = [created('A-1', { state: 'success' }), asleep('B-1')];
		expect((await call({ items })).answer).toBe('409 not_awaited_now');
	});

	it('counts the words that the user adds', async () => {
		const told = async (status: string, saved: Json) => {
			executions++;
			const service = serviceWith({ 'A-1': recordOf('A-1', { status: 'stuck' }) });
			return await call({ service, saved, body: OF('A-1', { status }) });
		};
		expect((await told('stuck', { failureStatuses: 'stuck' })).states).toEqual(['failed']);
		expect((await told('success', { successStatuses: 'stuck' })).states).toEqual(['success']);
	});

	it('ends with a payment that was taken back, whatever its record calls itself', async () => {
		const taken = recordOf('A-1', { type: 'reversal', status: 'reversed' });
		const service = serviceWith({ 'A-1': taken, 'TX-A-1': taken });
		expect((await call({ service, body: OF('A-1', { status: 'reversed' }) })).states).toEqual([
			'failed',
		]);
	});

	it('whose address was cut goes on by what the service itself calls the payment', async () => {
		const url = addressOf('A-1').slice(0, -5);
		expect((await call({ url })).woken).toHaveLength(1);
		executions++;
		// The callback proves nothing then, so nobody asks by its names.
		const service = serviceWith({ 'TX-A-1': recordOf('A-1') });
		expect((await call({ url, service })).answer).toBe(AGAIN);
		expect(service.asked).toEqual(['A-1', 'A-1']);
	});
});

describe('a callback that says more than the record', () => {
	const pending = recordOf('A-1', { status: 'pending' });
	const SAID: Array<[string, unknown]> = [
		['itself', OF('A-1')],
		['in its data', { data: OF('A-1', { status: 'failed' }) }],
		['deeper inside', { data: { transaction: OF('A-1') } }],
		['under another name', { payload: OF('A-1') }],
		['in a field that nobody knows', { ref: 'TX-A-1', Status: 'SUCCESS' }],
		['without a word about its state', { ref: 'TX-A-1' }],
		['without any word', {}],
	];

	it.each(SAID)('%s, is asked about again, and at last sent back', async (_, body) => {
		const waited = quickly();
		const { answer, asked } = await call({ body, service: serviceWith({ 'A-1': pending }) });
		expect([answer, waited]).toEqual([AGAIN, [PAUSES.behindCallback]]);
		expect(asked.filter((name) => name === 'A-1')).toHaveLength(2);
	});

	it.each([['itself', OF('A-1', { status: 'pending' })]])(
		'but plainly says pending, %s, is not asked about again',
		async (_, body) => {
			const waited = quickly();
			const { answer, asked } = await call({ body, service: serviceWith({ 'A-1': pending }) });
			expect([answer, waited]).toEqual(['200 not_final', []]);
			expect(asked.filter((name) => name === 'A-1')).toHaveLength(1);
		},
	);

	it('is believed as soon as the record has caught up', async () => {
		const waited = quickly();
		const service = serviceWith({ 'A-1': [pending, recordOf('A-1')] });
		const { states } = await call({ service });
		expect([waited, states]).toEqual([[PAUSES.behindCallback], ['success']]);
	});
});

describe('a link that failed', () => {
	const at = (order: string, row: number) => addressOf(order, row, undefined, 'link');
	// No phone was asked, so each try to pay is a transaction of its own.
	const link = (order: string, row: number, reference: string | null = `PL-${order}`) =>
		asleep(order, { reference }, { third_party_reference_1: null, callback_url: at(order, row) });
	const items = () => [link('A-1', 0), link('B-1', 1)];
	const record = (order: string, row: number, over: Json) =>
		recordOf(order, { callback_url: at(order, row), ...over });
	const first = record('A-1', 0, { ref: 'PL-A-1', status: 'failed' });
	const second = (status: string, ref = 'TX-2') => record('A-1', 0, { ref, status });
	const other = record('B-1', 1, { ref: 'PL-B-1' });

	it('goes on waiting: the next try may be paid', async () => {
		quickly();
		const one = [link('A-1', 0)];
		const failed = { ref: 'PL-A-1', status: 'failed' };
		const service = serviceWith({ 'PL-A-1': first });
		const { answer, woken } = await call({ items: one, url: at('A-1', 0), body: failed, service });
		expect([answer, woken]).toEqual(['200 not_final', undefined]);
		const records = { 'PL-A-1': first, 'TX-2': second('success') };
		const body = { ref: 'TX-2', status: 'success' };
		const again = await call({
			items: one,
			url: at('A-1', 0),
			body,
			service: serviceWith(records),
		});
		expect(again.woken![0]!.json).toMatchObject({ state: 'success', reference: 'TX-2' });
	});

	it('is asked about again when its callback says that it is paid', async () => {
		quickly();
		const body = { ref: 'TX-2', status: 'success' };
		const behind = serviceWith({ 'PL-A-1': first });
		expect(
			(await call({ items: [link('A-1', 0)], url: at('A-1', 0), body, service: behind })).answer,
		).toBe(AGAIN);
	});

	it('does not end the wait for the others, nor do they end the wait for it', async () => {
		quickly();
		const service = serviceWith({ 'PL-A-1': first, 'PL-B-1': other });
		const body = { ref: 'PL-B-1', status: 'success' };
		const { answer } = await call({ items: items(), url: at('B-1', 1), body, service });
		expect(answer).toBe('200 kept');
	});

	it('and was paid before stays paid', async () => {
		const unnamed = () => [link('A-1', 0, null), link('B-1', 1)];
		const paid = serviceWith({ 'TX-1': second('success', 'TX-1') });
		await call({
			items: unnamed(),
			url: at('A-1', 0),
			service: paid,
			body: { ref: 'TX-1', status: 'success' },
		});
		const later = { 'TX-2': second('failed') };
		const body = { ref: 'TX-2', status: 'failed' };
		await call({ items: unnamed(), url: at('A-1', 0), service: serviceWith(later), body });
		const { states } = await call({
			items: unnamed(),
			url: at('B-1', 1),
			body: { ref: 'PL-B-1', status: 'success' },
			service: serviceWith({ ...later, 'PL-B-1': other }),
		});
		expect(states).toEqual(['success', 'success']);
	});
});

describe('several payments', () => {
	const items = () => [asleep('A-1'), asleep('B-1', {}, { callback_url: addressOf('B-1', 1) })];
	const recordB = recordOf('B-1', { callback_url: addressOf('B-1', 1) });
	/** A call about the first of two, or about the second. */
	const callA = async (service: Service, more: Call = {}) =>
		await call({ items: items(), service, ...more });
	const callB = async (service: Service, more: Call = {}) =>
		await callA(service, { url: addressOf('B-1', 1), body: OF('B-1'), ...more });

	it('go on together, when the last is final, and none is asked about twice', async () => {
		const service = PAID();
		for (let time = 0; time < 2; time++) expect((await callA(service)).answer).toBe('200 kept');
		// A callback that comes again is not asked about again.
		expect(service.asked).toEqual(['A-1', 'B-1', 'B-1']);
		const later = serviceWith({ 'B-1': recordB });
		const { woken } = await callB(later);
		expect(woken!.map(({ json }) => json.reference)).toEqual(['TX-A-1', 'TX-B-1']);
		expect(later.asked).toEqual(['B-1']);
	});

	it('of other executions and other nodes nothing is known', async () => {
		for (const other of [{}, { node: 'other' }, { execution: 'other' }]) {
			const service = PAID();
			await callA(service, other);
			expect(service.asked).toEqual(['A-1', 'B-1']);
		}
	});

	it('records without a name of their own are not taken for one', async () => {
		const nameless = { ref: undefined };
		await callA(serviceWith({ 'A-1': recordOf('A-1', nameless) }));
		const { woken } = await callB(serviceWith({ 'B-1': { ...recordB, ...nameless } }));
		expect(woken!.map(({ json }) => json.reference)).toEqual([null, null]);
	});

	it('are asked about some at a time, and no longer than it takes to find one open', async () => {
		const { items: many, records } = manyOf(20);
		const service = serviceWith({ 'O-0': recordOf('O-0') });
		const url = addressOf('O-0');
		expect((await call({ items: many(), service, url })).answer).toBe('200 kept');
		// The first of the others is open, so no more are asked about.
		expect(service.asked).toEqual(['O-0', 'O-1']);
		const all = serviceWith(records());
		expect((await call({ items: many(), service: all, url })).woken).toHaveLength(20);
		expect(all.most).toBe(5);
	});

	it('of which not all can be asked about in time: whoever called comes again', async () => {
		const { items: many, records } = manyOf(20);
		const { now } = Date;
		let passed = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + passed);
		const service = serviceWith(records());
		const ask = service.httpRequestWithAuthentication;
		service.httpRequestWithAuthentication = async (...request) => {
			passed += 1_000;
			return await ask(...request);
		};
		const url = addressOf('O-0');
		expect((await call({ items: many(), service, url, body: OF('O-0') })).answer).toBe(AGAIN);
		expect(service.asked).toHaveLength(7);
		// What is known by then is not asked about again.
		passed = 0;
		service.httpRequestWithAuthentication = ask;
		expect((await call({ items: many(), service, url, body: OF('O-0') })).woken).toHaveLength(20);
		expect(service.asked).toHaveLength(20);
	});

	it('the last callback wakes it, also right after many were asked about', async () => {
		const { items: many, records, urlOf } = manyOf(12);
		const service = serviceWith({ 'O-0': recordOf('O-0') });
		const first = await call({ items: many(), service, url: urlOf('O-0') });
		expect(first.answer).toBe('200 kept');
		const all = serviceWith(records());
		const told = { url: urlOf('O-11'), body: OF('O-11') };
		expect((await call({ items: many(), service: all, ...told })).woken).toHaveLength(12);
	});

	it('a callback whose payment only it can name comes again, until all are final', async () => {
		expect((await callA(serviceWith({ 'TX-A-1': recordOf('A-1') }))).answer).toBe(AGAIN);
	});

	it('one record does not stand for two of them', async () => {
		const shared = { ref: 'TX-1', callback_url: undefined };
		const service = serviceWith({ 'TX-1': recordOf('A-1', shared) });
		const body = OF('A-1', { ref: 'TX-1' });
		await callA(service, { body });
		expect((await callB(service, { body })).answer).toBe(AGAIN);
	});

	it('callbacks at the same time wake it once, and share what they ask', async () => {
		const service = serviceWith({ 'A-1': recordOf('A-1'), 'B-1': [undefined, recordB] });
		const both = await Promise.all([callA(service), callB(service)]);
		expect(both.flatMap(({ woken }) => woken ?? [])).toHaveLength(2);
		expect(both.flatMap(({ answer }) => answer ?? [])).toEqual(['200 kept']);
		expect(service.asked.length).toBeLessThanOrEqual(4);
	});

	it('those that nobody called about are asked about, and one that is open keeps all', async () => {
		const open = { ...recordB, status: 'pending' };
		const service = serviceWith({ 'A-1': recordOf('A-1'), 'B-1': [open, recordB] });
		expect((await callA(service)).answer).toBe('200 kept');
		expect((await callA(service)).states).toEqual(['success', 'success']);
		expect(service.asked).toEqual(['A-1', 'B-1', 'B-1']);
	});
});

describe('many callbacks at the same time', () => {
	const { orders, items: many, records, urlOf } = manyOf(80);
	const callOne = async (service: Service, order: string) =>
		await call({ items: many(), service, url: urlOf(order), body: OF(order) });
	const callAll = async (service: Service, given = orders) =>
		await Promise.all(given.map(async (order) => await callOne(service, order)));
	const counted = (all: Awaited<ReturnType<typeof callAll>>, wanted: string) =>
		all.filter(({ answer }) => answer === wanted).length;

	it('are heard one after the other, a few wait, and the others come again', async () => {
		const { service, goOn } = slow(serviceWith({}));
		const all = callAll(service);
		await sleep(50);
		goOn();
		expect(counted(await all, AGAIN)).toBe(80);
		expect(service.most).toBe(1);
		expect(new Set(service.asked).size).toBeLessThanOrEqual(2 * 21);
	});

	it('wake it once, and each payment is asked about once', async () => {
		const service = serviceWith(records());
		const all = await callAll(service);
		expect(all.flatMap(({ woken }) => woken ?? [])).toHaveLength(orders.length);
		expect([counted(all, '200 kept'), counted(all, AGAIN)]).toEqual([20, 59]);
		expect(service.asked.sort()).toEqual([...orders].sort());
		// Those that come right after it went on are not asked about again.
		const late = await callOne(serviceWith(records()), 'O-7');
		expect([late.answer, late.asked]).toEqual(['200 kept', []]);
	});

	it('by a service that comes again: all are used, while the last is open', async () => {
		const open = recordOf('O-79', { status: 'pending', callback_url: urlOf('O-79') });
		const service = serviceWith({ ...records(), 'O-79': open });
		let left = orders.slice(0, 79);
		let rounds = 0;
		while (left.length > 0 && rounds++ < 10) {
			const answers = await callAll(service, left);
			left = left.filter((_, n) => answers[n]!.answer !== '200 kept');
		}
		// Four, if nobody has waited for his turn too long.
		expect(left).toEqual([]);
		// Each once, and with every callback one that is open.
		expect(service.asked.length).toBeLessThanOrEqual(2 * 79);
		expect((await callOne(serviceWith(records()), 'O-79')).woken).toHaveLength(80);
	});
});

describe('when something goes wrong', () => {
	it('the caller is asked to come again, and the log says why, without secrets', async () => {
		const down = Object.assign(new Error('no way to secret-key'), { code: 'ENOTFOUND' });
		const { answer, logged, asked } = await call({ service: serviceWith({ 'A-1': down }) });
		expect(answer).toBe(AGAIN);
		expect(logged).toEqual([
			[
				expect.any(String),
				{
					reason: 'try_again_later',
					node: 'Collect',
					execution: `execution ${executions}`,
					cause: expect.stringContaining('No connection to the service') as string,
				},
			],
		]);
		expect(JSON.stringify(logged)).not.toContain('secret-key');
		// Then it is asked for by the name in the callback.
		expect(asked).toEqual(['A-1', 'TX-A-1']);
	});

	it('whatever is thrown', async () => {
		const items = { map: () => undefined } as unknown as Json[];
		expect((await call({ items })).answer).toBe(AGAIN);
		const thrower = Object.defineProperty({}, 'apiKey', {
			enumerable: true,
			get: () => {
				throw 'no error';
			},
		});
		const { logged } = await call({ saved: thrower });
		expect(logged).toEqual([[expect.any(String), expect.objectContaining({ cause: 'unknown' })]]);
	});
});

describe('a callback that is none', () => {
	it.each<[string, Call]>([
		['413 too_large', { body: { ref: 'x'.repeat(300_000) } }],
		['415 not_json', { contentType: 'text/plain' }],
		['400 not_an_object', { body: [] }],
		['400 unacceptable_json', { body: { constructor: {} } }],
	])('%s: nothing is read or asked', async (expected, given) => {
		const items = new Proxy([] as Json[], {
			get: () => {
				throw new Error('It was read');
			},
		});
		const { answer, asked } = await call({ items, body: {}, ...given });
		expect([answer, asked]).toEqual([expected, []]);
	});
});
