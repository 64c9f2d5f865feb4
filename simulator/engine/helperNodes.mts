import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPairedItemData,
	ISourceData,
} from 'n8n-workflow';

const description = (
	name: string,
	more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs: ['main'],
	outputs: ['main'],
	properties: [],
	...more,
});

/** Says of each item which row n8n takes it for. */
const who: INodeType = {
	description: description('who', {
		properties: [{ displayName: 'Row', name: 'row', type: 'string', default: '' }],
	}),
	async execute() {
		const rowOf = (item: number): string | null => {
			try {
				return String(this.getNodeParameter('row', item));
			} catch {
				// It belongs to several.
				return null;
			}
		};
		return [
			this.getInputData().map(({ json }, item) => ({
				json: { item: json, row: rowOf(item) },
				pairedItem: { item },
			})),
		];
	},
};

/** Sends links to customers: what comes out of it is its own, and nothing of the link. */
const send: INodeType = {
	description: description('send'),
	async execute() {
		return [this.getInputData().map((_, item) => ({ json: { sent: true }, pairedItem: { item } }))];
	},
};

interface LoopContext {
	items?: INodeExecutionData[];
	done: INodeExecutionData[];
	source: unknown;
}

/** Pairs like n8n's Loop Over Items, one item at a time: all that came back leaves on the first output. */
const loop: INodeType = {
	description: description('loop', { outputs: ['main', 'main'] }),
	async execute() {
		const context = this.getContext('node') as unknown as LoopContext;
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
		const next = (context.items ?? []).splice(0, 1).map((item) => ({
			...item,
			pairedItem: {
				item: Number((item.pairedItem as IPairedItemData).item),
				sourceOverwrite: context.source as ISourceData,
			},
		}));
		return next.length === 0 ? [context.done, []] : [[], next];
	},
};

export const HELPERS: Record<string, INodeType> = {
	'simulator.who': who,
	'simulator.send': send,
	'simulator.loop': loop,
};
