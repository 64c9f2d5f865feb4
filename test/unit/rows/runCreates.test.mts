import type { NodeExecutionHint } from 'n8n-workflow';

import type { CreateOperation } from '../../../nodes/UnifiedPayments/actions/operation.ts';
import { createClaims } from '../../../nodes/UnifiedPayments/rows/claims.ts';
import type { RowResult } from '../../../nodes/UnifiedPayments/rows/result.ts';
import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';
import { runCreates } from '../../../nodes/UnifiedPayments/rows/runCreates.ts';
import { BystanderError, NotSentError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { failureOf } from '../../../nodes/UnifiedPayments/transport/verdict.ts';
import { createStore } from './claimStore.mts';

type Run = Parameters<typeof runCreates>[0];
type Answer = 'yes' | 'no' | 'lost';

interface Order {
	/** Its order reference; null for none. */
	order: string | null;
	amount?: string;
	url?: string;
	/** Its fields cannot be read. */
	isBad?: boolean;
}

interface Given extends Partial<Omit<Run, 'operation'>> {
	options?: object;
	/** How the service answers, by order. */
	answers?: Record<string, Answer>;
	/** What the service says it has, by order reference. */
	knows?: string[];
	store?: ReturnType<typeof createStore>;
	lookUp?: CreateOperation['lookUp'];
}

const ACCOUNT = {
	baseUrl: 'https://api.example.com',
	identity: { clientId: 'c', sender: 's', secretKey: 'k' },
	callbackToken: null,
};

/** Runs creates against a service that is written down here, with claims as they are. */
async function run(rows: Order[], given: Given = {}) {
	const { options = {}, answers = {}, knows = [], store = createStore(), lookUp, ...more } = given;
	const sent: Array<string | null> = [];
	const asked: string[] = [];
	const hints: string[] = [];
	const warnings: string[] = [];
	const told: unknown[] = [];
	const progress: string[] = [];
	const finished = new Map<number, RowResult>();
	const client = {
		credential: async () => ACCOUNT,
		redactor: new Redactor(),
		create: async (_: string, { order }: { order: string | null }) => {
			sent.push(order);
			const answer = answers[order ?? ''] ?? 'yes';
			if (answer === 'yes') return { ok: true, reply: { message: 'Created', data: {} } };
			return {
				ok: false,
				failure:
					answer === 'no'
						? failureOf('refused', { status: 400, saidNo: true })
						: failureOf('noReply'),
			};
		},
		query: async (_: unknown, { id }: { id: string }) => {
			asked.push(id);
			if (!knows.includes(id)) throw new Error('not found');
			return { data: { amount: '10', currency: 'KES', ref: `ref ${id}` } };
		},
	};
	const results = await runCreates({
		operation: {
			name: 'the collection',
			path: '/collect',
			lookUp: lookUp ?? 'orderReference',
			noReply: { reference: null },
			fromReply: () => ({ reference: null }),
			prepare: async ({ order, amount, url, isBad }: Order & Record<string, unknown>) => {
				if (isBad) throw new NotSentError('It is bad', 'Correct it.');
				return {
					params: { order, amount: '10', currency: 'KES', callback_url: url },
					shown: { order },
					payment: {
						orderReference: order,
						payer: [],
						item: '',
						amount: amount ?? '10',
						currency: 'KES',
						countryId: 1,
					},
				};
			},
		} as unknown as CreateOperation,
		count: rows.length,
		read: (row: number) => ({ fields: { ...rows[row] }, options }),
		item: () => ({}),
		files: () => ({}),
		names: createRowNames(() => ({})),
		client: { forRow: () => client },
		resumeUrl: async () => 'https://n8n.example.com/resume',
		cancelled: () => false,
		yieldToHost: async () => {},
		pacer: { turn: async () => {}, pause: () => {} },
		claims: createClaims(store.keys),
		lanes: 1,
		signal: undefined,
		finished: {
			get: (row: number) => finished.get(row),
			set: (row: number, result: RowResult) => void finished.set(row, result),
		},
		stopOnError: false,
		sentBefore: { tell: async (all: unknown[]) => void told.push(...all) },
		progress: (total: number) => (outcome: string) => progress.push(`${outcome} of ${total}`),
		warn: (line: string) => warnings.push(line),
		hint: ({ message }: NodeExecutionHint) => hints.push(message),
		...more,
	} as unknown as Run);
	const outcomes = results.map((result) =>
		'error' in result
			? `error: ${(result.error as Error).message}`
			: (result.items[0]!.outcome as string),
	);
	return { results, outcomes, sent, asked, hints, warnings, told, progress, finished, store };
}

const orders = (...names: string[]): Order[] => names.map((order) => ({ order }));

it('sends each row once, tells what became of it, and remembers it', async () => {
	const { outcomes, sent, progress, told, finished, store } = await run(orders('A', 'B', 'A'));
	expect(outcomes).toEqual(['accepted', 'accepted', 'duplicate']);
	expect(sent).toEqual(['A', 'B']);
	expect(progress).toEqual(['accepted of 2', 'accepted of 2']);
	expect(told).toHaveLength(2);
	expect([...finished.keys()]).toEqual([0, 1]);

	const again = await run(orders('A', 'B', 'C'), { store: createStore(store.content) });
	expect(again.outcomes).toEqual(['duplicate', 'duplicate', 'accepted']);
	expect(again.sent).toEqual(['C']);
});

describe('a bad row', () => {
	const rows = [...orders('A'), { order: 'B', isBad: true }, ...orders('C')];

	it('keeps all others from being sent where an error ends the run', async () => {
		const { outcomes, sent } = await run(rows, { stopOnError: true });
		const left = 'error: Not sent, because another row is bad';
		expect(outcomes).toEqual([left, 'error: It is bad', left]);
		expect(sent).toEqual([]);
	});

	it('is alone otherwise', async () => {
		const { outcomes, sent } = await run(rows);
		expect(outcomes).toEqual(['accepted', 'error: It is bad', 'accepted']);
		expect(sent).toEqual(['A', 'C']);
	});
});

it('a row that went wrong ends the run only where an error does', async () => {
	const rows = orders('A', 'B', 'C');
	const answers = { B: 'no' } as const;
	expect((await run(rows, { answers, stopOnError: true })).sent).toEqual(['A', 'B']);
	expect((await run(rows, { answers })).sent).toEqual(['A', 'B', 'C']);
});

describe('a dry run', () => {
	const options = { dryRun: true };

	it('sends and claims nothing, tells nobody, and knows what was sent before', async () => {
		const { store } = await run(orders('A'));
		const before = [...store.content];
		const dry = await run(orders('A', 'B', 'B'), { options, store: createStore(store.content) });
		expect(dry.outcomes).toEqual(['duplicate', 'valid', 'duplicate']);
		expect([dry.sent, dry.told, dry.progress]).toEqual([[], [], []]);
		expect(store.content).toEqual(before);
	});

	it('goes on, and says so, when that cannot be looked up', async () => {
		const store = createStore([], 0);
		const { outcomes, warnings } = await run(orders('A'), { options, store });
		expect(outcomes).toEqual(['valid']);
		expect(warnings).toEqual(['What earlier runs sent could not be looked up: killed']);
	});

	it('with a bad row stops nothing', async () => {
		const rows = [{ order: 'A', isBad: true }, ...orders('B')];
		const { outcomes } = await run(rows, { options, stopOnError: true });
		expect(outcomes).toEqual(['error: It is bad', 'valid']);
	});
});

it('a limit holds all rows back, and one of them says why', async () => {
	const { results, sent } = await run(orders('A', 'B', 'C'), { options: { maxTotal: 15 } });
	expect(sent).toEqual([]);
	const errors = results.map((result) => (result as { error: Error }).error);
	expect(errors.map((error) => error instanceof BystanderError)).toEqual([true, false, true]);
	expect(new Set(errors.map(({ message }) => message)).size).toBe(1);
});

it('what an earlier try finished is not sent again', async () => {
	const done: RowResult = { items: [{ outcome: 'accepted' }] };
	const { results, sent } = await run(orders('A', 'B'), {
		finished: { get: (row) => (row === 0 ? done : undefined), set() {} },
	});
	expect(results[0]).toBe(done);
	expect(sent).toEqual(['B']);
});

it('rows that a cancelled run did not come to are not sent', async () => {
	let left = 3;
	const { outcomes, sent } = await run(orders('A', 'B', 'C'), { cancelled: () => left-- <= 0 });
	expect(sent).toEqual([]);
	expect(outcomes[2]).toContain('the execution was cancelled');
});

describe('a row without an answer', () => {
	it('is asked about, and was accepted when the service has it', async () => {
		const { outcomes, asked, finished, store } = await run(orders('A', 'B', 'C'), {
			answers: { A: 'lost', B: 'lost' },
			knows: ['A'],
		});
		expect(asked.sort()).toEqual(['A', 'B']);
		expect(outcomes[0]).toBe('accepted');
		expect(outcomes[1]).toMatch(/^error/);
		expect(finished.get(0)).toMatchObject({ items: [{ reference: 'ref A' }] });
		const next = await run(orders('A', 'B'), { store: createStore(store.content) });
		expect(next.outcomes).toEqual(['duplicate', 'unknown']);
		expect(next.sent).toEqual([]);
	});

	it('is asked about before it is sent again', async () => {
		const { store } = await run(orders('A', 'B'), { answers: { A: 'lost', B: 'lost' } });
		const { outcomes, sent } = await run(orders('A', 'B', 'C'), {
			store: createStore(store.content),
			options: { onDuplicate: 'sendUnanswered' },
			knows: ['A'],
		});
		expect(outcomes).toEqual(['accepted', 'accepted', 'accepted']);
		expect(sent).toEqual(['B', 'C']);
	});

	it('is sent again unasked where nothing is to be looked up', async () => {
		const { store } = await run(orders('A'), { answers: { A: 'lost' } });
		const { asked, sent } = await run(orders('A'), {
			store: createStore(store.content),
			options: { onDuplicate: 'sendUnanswered', onUnknown: 'report' },
			knows: ['A'],
		});
		expect([asked, sent]).toEqual([[], ['A']]);
	});
});

describe('what cannot be recorded', () => {
	it('keeps a row from being sent', async () => {
		const { outcomes, sent } = await run(orders('A'), { store: createStore([], 0) });
		expect(outcomes).toEqual([
			'error: Not sent, because the row could not be recorded as being sent: killed',
		]);
		expect(sent).toEqual([]);
	});

	it('afterwards costs no result', async () => {
		const { outcomes, warnings } = await run(orders('A'), { store: createStore([], 1) });
		expect(outcomes).toEqual(['accepted']);
		expect(warnings).toContain('What became of some rows could not be recorded: killed');
	});

	it('for checks costs no result either, and without checks nobody is told', async () => {
		const tell = async () => {
			throw new Error('full');
		};
		const { outcomes, warnings } = await run(orders('A'), {
			sentBefore: { tell } as unknown as Run['sentBefore'],
		});
		expect(outcomes).toEqual(['accepted']);
		expect(warnings).toEqual(['What became of some rows could not be recorded: full']);
		expect((await run(orders('A'), { sentBefore: null })).warnings).toEqual([]);
	});
});

describe('what is odd about a callback URL', () => {
	const HOOK = 'https://n8n.example.com/webhook/pay';
	const long = `${HOOK}/${'x'.repeat(250)}`;
	it.each<[string, Order, CreateOperation['lookUp'], RegExp | null]>([
		['an order without one', { order: 'A' }, 'list', /no callback URL/],
		['a collection without one', { order: 'A' }, 'orderReference', null],
		['neither order nor URL', { order: null }, 'list', null],
		['one that is long', { order: 'A', url: long }, 'list', /more than 255 characters/],
		['one as usual', { order: 'A', url: HOOK }, 'list', null],
		[
			'an order that it cannot carry',
			{ order: 'x'.repeat(200), url: HOOK },
			'list',
			/cannot carry/,
		],
		['no order', { order: null, url: HOOK }, 'list', null],
	])('is told: %s', async (_, row, lookUp, says) => {
		const { hints } = await run([row, { order: 'B', isBad: true }], {
			lookUp,
			options: { findLink: false },
		});
		if (says === null) expect(hints).toEqual([]);
		else expect(hints).toEqual([expect.stringMatching(says)]);
	});
});
