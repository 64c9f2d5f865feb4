// Plays the same calls to n8n's own store of processed values, on a database, and to the one that the simulator plays.
// `originals.test.mts` runs it with n8n's Node: `store.mts <n8n's package.json> <sequences>`. Prints where they differ.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

import type { DeduplicationScope, IDataDeduplicator } from 'n8n-workflow';

import { createDeduplicator } from '../../../dev/host/engine/deduplicator.mts';
import { Random } from '../../../dev/simulator/random.mts';

interface Row {
	workflowId: string;
	context: string;
	value: { data: string[] };
}

type Access = (...given: unknown[]) => Promise<unknown>;
type Repository = Record<'findOne' | 'insert' | 'update' | 'delete', Access> & {
	find(): Promise<Row[]>;
	clear(): Promise<void>;
};

const [packageJson = '', sequences = '1'] = process.argv.slice(2);
const load = createRequire(packageJson);
const { DeduplicationHelper } = load('./dist/deduplication/deduplication-helper.js') as {
	DeduplicationHelper: new () => IDataDeduplicator;
};
const { ProcessedData, ProcessedDataRepository } = load('@n8n/db') as {
	ProcessedData: unknown;
	ProcessedDataRepository: new (source: unknown) => Repository;
};
const { DataSource } = load('@n8n/typeorm') as {
	DataSource: new (options: object) => { initialize(): Promise<void> };
};
const { Container } = load('@n8n/di') as { Container: { set(type: unknown, one: unknown): void } };

/** Lets one call at a time reach the database; which of those that want to is drawn. */
class Turns {
	private readonly caller = new AsyncLocalStorage<number>();
	private readonly waiting = new Map<number, () => void>();
	private busy = 0;

	constructor(private readonly random: Random) {}

	readonly reached = async (): Promise<void> => {
		await new Promise<void>((resolve) => {
			this.waiting.set(this.caller.getStore() ?? 0, resolve);
			this.rest();
		});
	};

	async all(calls: ReadonlyArray<() => Promise<unknown>>): Promise<unknown[]> {
		this.busy = calls.length;
		const answers = calls.map((call, at) =>
			this.caller.run(at, async () => {
				try {
					return await call();
				} catch {
					return 'throws';
				} finally {
					this.rest();
				}
			}),
		);
		return await Promise.all(answers);
	}

	private rest(): void {
		if (--this.busy > 0 || this.waiting.size === 0) return;
		const next = this.random.pick([...this.waiting.keys()].sort());
		const go = this.waiting.get(next);
		this.waiting.delete(next);
		this.busy++;
		go?.();
	}
}

type Call = (store: IDataDeduplicator) => Promise<unknown>;

const VALUES = ['a', 'b', 'c', 'd', 1, '1', 2, -3] as const;

function drawCall(random: Random): Call {
	const scope: DeduplicationScope = random.pick(['node', 'node', 'workflow'] as const);
	const node = { id: random.pick(['n', 'n', 'm']), name: '', type: '', typeVersion: 1 };
	const context = {
		workflow: { id: random.pick(['v', 'w', 'w']), active: false },
		node: { ...node, position: [0, 0] as [number, number], parameters: {} },
	};
	const items = Array.from({ length: random.whole(0, 4) }, () => random.pick(VALUES));
	const maxEntries = random.pick([0, 0, 1, 3]);
	return random.weighted<Call>([
		[
			6,
			async (store) =>
				await store.checkProcessedAndRecord(items, scope, context, { mode: 'entries', maxEntries }),
		],
		[3, async (store) => await store.removeProcessed(items, scope, context, { mode: 'entries' })],
		[1, async (store) => await store.clearAllProcessedItems(scope, context, { mode: 'entries' })],
		[3, async (store) => await store.getProcessedDataCount(scope, context, { mode: 'entries' })],
	]);
}

/** Up to three calls at a time, several times. */
function drawCalls(random: Random): Call[][] {
	return Array.from({ length: random.whole(3, 10) }, () =>
		Array.from({ length: random.whole(1, 3) }, () => drawCall(random)),
	);
}

async function answersOf(
	seed: number,
	open: (turns: Turns) => { store: IDataDeduplicator; rows: () => Promise<unknown> },
): Promise<string> {
	const turns = new Turns(new Random(seed, 'turns'));
	const { store, rows } = open(turns);
	const told: unknown[] = [];
	for (const calls of drawCalls(new Random(seed, 'calls'))) {
		told.push(await turns.all(calls.map((call) => async () => await call(store))));
		told.push(await rows());
	}
	return JSON.stringify(told);
}

const source = new DataSource({
	type: 'sqlite',
	database: ':memory:',
	entities: [ProcessedData],
	synchronize: true,
});
await source.initialize();

function openReal(turns: Turns) {
	const repository = new ProcessedDataRepository(source);
	const rows = async () =>
		Object.fromEntries(
			(await new ProcessedDataRepository(source).find())
				.map(({ workflowId, context, value }) => [`${workflowId}:${context}`, value.data] as const)
				.sort(),
		);
	for (const name of ['findOne', 'insert', 'update', 'delete'] as const) {
		const access = repository[name].bind(repository);
		repository[name] = async (...given) => {
			await turns.reached();
			return await access(...given);
		};
	}
	Container.set(ProcessedDataRepository, repository);
	return { store: new DeduplicationHelper(), rows };
}

function openOurs(turns: Turns) {
	const kept = new Map<string, string[]>();
	const rows = async () => Object.fromEntries([...kept].sort());
	return { store: createDeduplicator(kept, turns.reached), rows };
}

for (let seed = 1; seed <= Number(sequences); seed++) {
	await new ProcessedDataRepository(source).clear();
	const real = await answersOf(seed, openReal);
	const ours = await answersOf(seed, openOurs);
	if (real !== ours) console.log(`Sequence ${seed}\n  n8n:  ${real}\n  ours: ${ours}`);
}
console.log(`${sequences} sequences were played`);
process.exit(0);
