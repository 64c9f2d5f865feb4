// `npm run walk`: which files one row of a collection runs through, in columns mode; and how many of them a row that is
// waited for runs through, until it sleeps and when it is woken. Every function of a copy of the
// published code notes its file when it is called. Fewer files and fewer moves between them are easier to follow.
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { IDataObject } from 'n8n-workflow';
import ts from 'typescript';

import type * as Api from '../../credentials/UnifiedPaymentsApi.credentials.ts';
import type * as Demo from '../host/demo/sandboxCredential.mts';
import type * as Engine from '../host/engine/index.mts';
import type * as Node from '../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import type * as Sandbox from '../sandbox/index.mts';

const ROOT = resolve(import.meta.dirname, '../..');
const NODE = 'nodes/UnifiedPayments';
const TYPE = 'n8n-nodes-unified-payments.unifiedPayments';

type Noting = typeof globalThis & { noteCall?: (file: string) => void };

/** The same code, in which every function first says which file it is of. */
function withNotes(file: string, text: string): string {
	const note = `(globalThis as any).noteCall?.(${JSON.stringify(file)})`;
	const added: Array<[at: number, text: string]> = [];
	const visit = (node: ts.Node): void => {
		const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
		// A constructor may have to call `super` first, and says little.
		if (body !== undefined && !ts.isConstructorDeclaration(node)) {
			if (ts.isBlock(body)) added.push([body.getStart() + 1, `${note};`]);
			else added.push([body.getStart(), `(${note}, (`], [body.getEnd(), '))']);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
	// From the end, so that the places that are still to come stay where they are.
	return added
		.sort(([a], [b]) => b - a)
		.reduce((all, [at, note]) => all.slice(0, at) + note + all.slice(at), text);
}

function copyWithNotes(copy: string): void {
	for (const each of ['nodes', 'credentials', 'dev', 'icons', 'package.json']) {
		cpSync(join(ROOT, each), join(copy, each), { recursive: true });
	}
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	for (const folder of ['nodes', 'credentials']) {
		const files = readdirSync(join(copy, folder), { recursive: true, withFileTypes: true });
		for (const { name, parentPath } of files.filter((each) => each.name.endsWith('.ts'))) {
			const path = join(parentPath, name);
			const file = relative(copy, path).replace(`${NODE}/`, '');
			writeFileSync(path, withNotes(file, readFileSync(path, 'utf8')));
		}
	}
}

type Note = <T>(work: () => Promise<T>) => Promise<string[]>;

/** The files of all calls, in their order, while something is done. */
const noteCalls: Note = async (work) => {
	const calls: string[] = [];
	(globalThis as Noting).noteCall = (file) => void calls.push(file);
	await work();
	delete (globalThis as Noting).noteCall;
	return calls;
};

interface Walks {
	/** One row that is accepted. */
	row: string[];
	/** A row of Create and Wait, until its execution sleeps. */
	sleeping: string[];
	/** The callback that wakes it. */
	waking: string[];
}

async function walk(copy: string): Promise<Walks> {
	const load = async <Module,>(file: string): Promise<Module> =>
		(await import(pathToFileURL(join(copy, file)).href)) as Module;
	const { connect, node, pass, runNode, runSleeper } = await load<typeof Engine>(
		'dev/host/engine/index.mts',
	);
	const { startSandbox } = await load<typeof Sandbox>('dev/sandbox/index.mts');
	const { sandboxCredential } = await load<typeof Demo>('dev/host/demo/sandboxCredential.mts');
	const { UnifiedPayments } = await load<typeof Node>(`${NODE}/UnifiedPayments.node.ts`);
	const { UnifiedPaymentsApi } = await load<typeof Api>(
		'credentials/UnifiedPaymentsApi.credentials.ts',
	);

	const sandbox = await startSandbox({ mode: 'spec', settleDelayMs: Infinity });
	const shared = {
		credentials: { unifiedPaymentsApi: sandboxCredential(sandbox) },
		credentialTypes: [new UnifiedPaymentsApi()],
	};
	const collect = (operation: string) => ({
		resource: 'collection',
		operation,
		inputMode: 'columns',
	});
	const send = async (row: IDataObject) =>
		await runNode(new UnifiedPayments(), collect('create'), { ...shared, items: [row] });
	const wait = async (row: IDataObject) =>
		await runSleeper({
			...shared,
			items: [{ json: row }],
			nodes: [pass('Start'), node('Node', TYPE, collect('createAndWait')), pass('Success')],
			connections: connect(['Start', 'Node'], ['Node', 'Success']),
			nodeTypes: { [TYPE]: new UnifiedPayments() },
		});
	const wake = async (sleeper: Engine.Sleeper, order: string) => {
		const paid = sandbox.state.transactions.find((each) => each.third_party_reference_1 === order);
		sandbox.settle(paid!.ref, 'success');
		return await sleeper.awake();
	};
	const row = { Country: 'Kenya', 'Amount (KES)': '1,250.50', 'Phone Number': '0712 345678' };
	// The first run of each also does what is done once.
	await send({ ...row, Reference: 'A-1' });
	const first = await wait({ ...row, Reference: 'B-1' });
	await wake(first, 'B-1');
	const walks: Walks = { row: [], sleeping: [], waking: [] };
	walks.row = await noteCalls(async () => {
		const { successJson } = await send({ ...row, Reference: 'A-2' });
		if (successJson[0]?.outcome !== 'accepted') throw new Error('The row was not accepted');
	});
	let sleeper: Engine.Sleeper | undefined;
	walks.sleeping = await noteCalls(async () => {
		sleeper = await wait({ ...row, Reference: 'B-2' });
	});
	walks.waking = await noteCalls(async () => {
		const [item] = (await wake(sleeper!, 'B-2')).json('Success');
		if (item?.state !== 'success') throw new Error('The execution was not woken');
	});
	await Promise.all([first.close(), sleeper!.close()]);
	await sandbox.close();
	return walks;
}

function report(title: string, calls: readonly string[], isDetailed: boolean): void {
	const entered = calls.filter((file, index) => file !== calls[index - 1]);
	const files = [...new Set(calls)];
	for (const file of isDetailed ? files : []) {
		console.log(`${String(entered.filter((each) => each === file).length).padStart(4)}  ${file}`);
	}
	console.log(`${title}: ${files.length} files, ${calls.length} calls, ${entered.length} moves`);
}

const copy = mkdtempSync(join(tmpdir(), 'walk-'));
// `npm run walk -- all` also shows the files of the other two.
const isAll = process.argv.includes('all');
try {
	copyWithNotes(copy);
	const { row, sleeping, waking } = await walk(copy);
	report('\nA row', row, true);
	report('\nCreate and Wait, until it sleeps', sleeping, isAll);
	report('\nWaking it', waking, isAll);
} finally {
	rmSync(copy, { recursive: true });
}
