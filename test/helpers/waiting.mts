import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IPairedItemData,
	ISourceData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';
import { connect, node, pass, runSleeper, type Sleeper } from '../../dev/host/engine/index.mts';
import { call } from '../../dev/host/shared/http.mts';
import { until } from '../../dev/host/shared/until.mts';
import { UnifiedPayments } from '../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { PAUSES } from '../../nodes/UnifiedPayments/waiting/status.ts';
import { startSandbox } from '../../dev/sandbox/index.mts';
import { COLLECT, demoCredential, LINK } from './payments.mts';
import { closing, throughout } from './throughout.mts';

/** The waits of this package for a service that is slow are not waited for in most tests. */
export function withoutPauses(): void {
	beforeAll(() => {
		PAUSES.afterCreate = REAL.map(() => 10);
	});
	afterAll(() => {
		PAUSES.afterCreate = REAL;
	});
}

const REAL = PAUSES.afterCreate;

/** The same work with the waits that users have. */
export async function withRealPauses<T>(work: () => Promise<T>): Promise<T> {
	const short = PAUSES.afterCreate;
	PAUSES.afterCreate = REAL;
	try {
		return await work();
	} finally {
		PAUSES.afterCreate = short;
	}
}

export const TYPE = 'n8n-nodes-unified-payments.unifiedPayments';

interface SleeperOptions {
	credential: ICredentialDataDecryptedObject;
	rows: IDataObject[];
	settings?: Partial<INode>;
	workflowId?: string;
	signal?: AbortSignal;
	mode?: WorkflowExecuteMode;
}

const shared = ({ credential, rows, workflowId, signal, mode }: SleeperOptions) => ({
	items: rows.map((json) => ({ json })),
	credentials: { unifiedPaymentsApi: credential },
	credentialTypes: [new UnifiedPaymentsApi()],
	workflowId,
	signal,
	mode,
});

/** The node between a start and a sink on each of its outputs, in a run that may go to sleep. */
const runCollect = async (parameters: INodeParameters, options: SleeperOptions): Promise<Sleeper> =>
	await runSleeper({
		...shared(options),
		nodes: [
			pass('Start'),
			node(
				'Node',
				TYPE,
				{
					...COLLECT,
					operation: 'createAndWait',
					callbackUrl: '',
					mobile: '={{ $json.mobile ?? "0712345678" }}',
					...parameters,
				},
				options.settings,
			),
			pass('Success'),
			pass('Failed'),
		],
		connections: connect(['Start', 'Node'], ['Node', 0, 'Success'], ['Node', 1, 'Failed']),
		nodeTypes: { [TYPE]: new UnifiedPayments() },
	});

/** Stands for a node that sends the links: what comes out of it is its own. */
export const sender = (name: string, send: (items: IDataObject[]) => IDataObject[]): INodeType => ({
	description: {
		displayName: name,
		name,
		group: ['output'],
		version: 1,
		description: name,
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		const given = this.getInputData();
		const sent = send(given.map(({ json }) => json));
		const all = given.map((_, item) => ({ item }));
		// Like n8n's own nodes: one for each, or one that belongs to all of them.
		const each = sent.length / given.length;
		const paired = (at: number) => (Number.isInteger(each) ? { item: Math.floor(at / each) } : all);
		return [sent.map((json, at) => ({ json, pairedItem: paired(at) }))];
	},
});

/** What n8n's Loop Over Items does, one item at a time: all that came back leaves on the first output. */
export const loop: INodeType = {
	description: { ...sender('loop', (items) => items).description, outputs: ['main', 'main'] },
	async execute() {
		const context = this.getContext('node') as {
			items?: INodeExecutionData[];
			done: INodeExecutionData[];
			source: unknown;
		};
		const items = this.getInputData().slice();
		const source = this.getInputSourceData();
		if (context.items === undefined) {
			Object.assign(context, { items, done: [], source: structuredClone(source) });
		} else {
			const back = items.map((item, index) => ({
				...item,
				pairedItem: { sourceOverwrite: source, item: index },
			}));
			context.done = [...context.done, ...back];
		}
		const next = context.items!.splice(0, 1).map((item) => ({
			...item,
			pairedItem: {
				item: Number((item.pairedItem as IPairedItemData).item),
				...overwrite(context),
			},
		}));
		return next.length === 0 ? [context.done, []] : [[], next];
	},
};
const overwrite = ({ source }: { source: unknown }) => ({ sourceOverwrite: source as ISourceData });

/** Says of each item which row n8n takes it for. */
const who: INodeType = {
	description: {
		...sender('who', (items) => items).description,
		properties: [{ displayName: 'Row', name: 'row', type: 'string', default: '' }],
	},
	async execute() {
		const rowOf = (item: number) => {
			try {
				return this.getNodeParameter('row', item) as string;
			} catch {
				// It belongs to several.
				return null;
			}
		};
		return [
			this.getInputData().map(({ json }, item) => ({
				json: { ...json, row: rowOf(item) },
				pairedItem: { item },
			})),
		];
	},
};

interface LinkOptions extends SleeperOptions {
	/** Between the links and the wait; by default something that keeps nothing of a link. */
	send?: (items: IDataObject[]) => IDataObject[];
	create?: INodeParameters;
	wait?: INodeParameters;
	createSettings?: Partial<INode>;
	/** False leaves out the node that waits. */
	waits?: boolean;
	/** Creates and sends one link after the other, and waits for all of them after the loop. */
	loops?: boolean;
}

type Wire = Parameters<typeof connect>[number];

function wires({ waits = true, loops }: LinkOptions): Wire[] {
	const send: Wire[] = [['Create', 'Send']];
	const wait: Wire[] = [
		['Wait', 0, 'Success'],
		['Wait', 1, 'Failed'],
	];
	if (!waits) return [['Start', 'Create'], ...send, ['Send', 'Success']];
	if (!loops) return [['Start', 'Create'], ...send, ['Send', 'Wait'], ...wait];
	const rounds: Wire[] = [['Start', 'Loop'], ['Loop', 1, 'Create'], ...send, ['Send', 'Loop']];
	return [...rounds, ['Loop', 0, 'Wait'], ...wait];
}

/** Links, a node that sends them, and one that waits until they are paid. */
export const runLinks = async (options: LinkOptions): Promise<Sleeper> =>
	await runSleeper({
		...shared(options),
		nodes: [
			pass('Start'),
			node(
				'Create',
				TYPE,
				{
					...LINK,
					...{ businessName: 'Demo Shop', itemName: 'Tea', callbackUrl: '' },
					options: { waitInThisExecution: true },
					...options.create,
				},
				options.createSettings,
			),
			...(options.loops ? [node('Loop', 'test.loop')] : []),
			node('Send', 'test.send', {}),
			...(options.waits === false
				? []
				: [
						node(
							'Wait',
							TYPE,
							{ resource: 'paymentLink', operation: 'waitUntilPaid', ...options.wait },
							options.settings,
						),
					]),
			node('Success', 'test.who', { row: "={{ $('Start').item?.json.order }}" }),
			pass('Failed'),
		],
		connections: connect(...wires(options)),
		nodeTypes: {
			[TYPE]: new UnifiedPayments(),
			'test.loop': loop,
			'test.who': who,
			'test.send': sender('send', options.send ?? ((items) => items.map(() => ({ sent: true })))),
		},
	});

/** A sandbox that calls back and is as new before each test, and what sleeps on it, closed after the test. */
export function useSleepers() {
	const sandbox = throughout(
		async () =>
			await startSandbox({
				settleDelayMs: Infinity,
				callbackRetry: { attempts: 6, firstDelayMs: 200 },
				callbackTimeoutMs: 20_000,
			}),
	);
	beforeEach(() => sandbox.reset());
	// What the service still has to say belongs to this test.
	afterEach(() => sandbox.reset());
	const opened = closing();
	const credential = () => demoCredential(sandbox.url);
	const post = async (url: string, body: unknown) => await call(url, { method: 'POST', body });
	const linkOf = (order: string) =>
		sandbox.state.links.find((link) => link.order?.reference === order)!;
	return {
		sandbox,
		opened,
		post,
		linkOf,
		collect: async (
			rows: IDataObject[],
			parameters: INodeParameters = {},
			options: Partial<SleeperOptions> = {},
		) => opened(await runCollect(parameters, { credential: credential(), rows, ...options })),
		links: async (rows: IDataObject[], options: Partial<LinkOptions> = {}) =>
			opened(await runLinks({ credential: credential(), rows, ...options })),
		/** Pays a link, or fails to. */
		pay: async (order: string, body: object = {}) =>
			await post(`${sandbox.url}/sandbox/links/${linkOf(order).reference}/pay`, {
				outcome: 'success',
				...body,
			}),
		/** Waits until so many callbacks were answered. */
		answered: async ({ answers }: Sleeper, count = 1) =>
			await until('answers', async () => (answers.length >= count ? true : undefined)),
	};
}
