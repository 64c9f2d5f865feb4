import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';

const trigger = new UnifiedPaymentsTrigger();
const { description } = trigger;
const { properties } = description;

const isProperty = (option: object): option is INodeProperties => 'displayName' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;
const options = properties.find(({ name }) => name === 'options')!;
const members = (options.options ?? []).filter(isProperty);
const fields = [...properties.filter(({ type }) => type !== 'notice'), ...members];
const choicesOf = (name: string) =>
	(fields.find((each) => each.name === name)?.options ?? [])
		.filter(isChoice)
		.map(({ value }) => value);

const read = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

describe("the trigger's contract", () => {
	it('has its name, version, outputs and credential', () => {
		expect(description).toMatchObject({
			name: 'unifiedPaymentsTrigger',
			displayName: 'Unified Payments Trigger',
			group: ['trigger'],
			version: 2,
			inputs: [],
			outputs: ['main', 'main'],
			outputNames: ['Callback', 'Rejected'],
			credentials: [{ name: 'unifiedPaymentsApi', required: true }],
		});
		expect(description).not.toHaveProperty('usableAsTool');
	});

	it('has these parameters and defaults', () => {
		const saved = properties
			.filter(({ type, name }) => type !== 'notice' && name !== 'options')
			.map(({ name, default: value }) => [name, value]);
		expect(Object.fromEntries(saved)).toEqual({
			callbackTokenState: '',
			verification: 'confirm',
			states: ['failed', 'other', 'pending', 'success'],
		});
		expect(Object.fromEntries(members.map((each) => [each.name, each.default]))).toEqual({
			ipAllowList: '',
			signatureAlgorithm: 'sha256',
			signatureEncoding: 'hex',
			signatureHeader: 'X-Signature',
			simplify: true,
			skipRepeats: true,
			transactionType: 'payin',
		});
	});

	it('offers the values of the contract', () => {
		expect(choicesOf('verification')).toEqual(['confirm', 'token', 'hmac', 'none']);
		expect(choicesOf('states').sort()).toEqual(['failed', 'other', 'pending', 'success']);
		expect(choicesOf('transactionType')).toEqual(['auto', 'payin', 'payout']);
		expect(choicesOf('signatureAlgorithm')).toEqual(['sha256', 'sha384', 'sha512']);
		expect(choicesOf('signatureEncoding').sort()).toEqual(['base64', 'hex']);
	});

	it('has two endpoints, POST at a fixed path: answered when the callback is stored, or at the end', () => {
		expect(description.webhooks).toEqual([
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				responseData: '',
			},
			{
				name: 'setup',
				httpMethod: 'POST',
				path: 'finished',
				responseMode: 'lastNode',
				responseData: 'noData',
				ndvHideUrl: true,
			},
		]);
	});

	it('has nothing to register or to remove at the service', async () => {
		const { checkExists, delete: remove } = trigger.webhookMethods.default;
		expect(await checkExists.call({} as never)).toBe(false);
		expect(await remove.call({} as never)).toBe(true);
	});

	it('has a codex file that the editor keeps', () => {
		const codex = JSON.parse(
			read('nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.json'),
		) as Record<string, unknown>;
		expect(codex).toHaveProperty('resources');
	});
});

describe("n8n's copy rules", () => {
	it('every label is in title case, every description a sentence', () => {
		const small = /^(?:a|an|and|as|at|by|for|from|in|of|on|or|per|the|to|with)$/;
		const titled = (text: string) =>
			text
				.replace(/[()]/g, '')
				.split(/[\s/]+/)
				.every((word, index) => /^[A-Z0-9]/.test(word) || (index > 0 && small.test(word)));
		expect(fields.map(({ displayName }) => displayName).filter((each) => !titled(each))).toEqual(
			[],
		);
		const described = fields.filter(({ type }) => type !== 'collection');
		expect(described.filter((each) => !/^[A-Z].{9}/.test(each.description ?? ''))).toEqual([]);
	});

	it('switches begin with Whether, placeholders with e.g.', () => {
		const switches = fields.filter(({ type }) => type === 'boolean');
		expect(switches.filter(({ description: text }) => !text?.startsWith('Whether '))).toEqual([]);
		expect(switches).toHaveLength(2);
		const texts = fields.filter(({ type }) => type === 'string');
		expect(texts.filter(({ placeholder }) => !/^e\.g\. \S/.test(placeholder ?? ''))).toEqual([]);
	});

	it('no text speaks of errors', () => {
		const all = JSON.stringify([properties, description.triggerPanel]);
		// The name of an option, as the operation for the status has it.
		expect(all.replace('Failure Statuses', '')).not.toMatch(
			/\b(?:error|problem|failure|mistake)s?\b/i,
		);
	});

	it('the panel explains both URLs and the token', () => {
		const notices = properties.filter(({ type }) => type === 'notice');
		const text = notices.map(({ displayName }) => displayName).join(' ');
		for (const words of ['Production URL', 'Test URL', "'Callback URL'", '?token=']) {
			expect(text).toContain(words);
		}
	});
});

type Schema = { type: string; properties?: Record<string, Schema> };

/** Names of all fields, however deep, as far as the schema goes. */
const names = (schema: Schema, path = ''): string[] =>
	Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
		path + name,
		...names(inner, `${path}${name}.`),
	]);

const has = (value: unknown, path: string): boolean => {
	const [name, ...rest] = path.split('.');
	const inner = (value as Record<string, unknown> | null)?.[name!];
	return inner !== undefined && (rest.length === 0 || has(inner, rest.join('.')));
};

describe('what the editor can show before the first callback', () => {
	// For a node without resource and operation, n8n looks for the version beside the folders.
	const file = 'nodes/UnifiedPayments/__schema__/v2.0.0.json';

	it('is a schema of the output', () => {
		expect(existsSync(join(process.cwd(), file))).toBe(true);
		const schema = JSON.parse(read(file)) as Schema;
		expect(Object.keys(schema.properties!)).toEqual([
			'event',
			'verified',
			'type',
			'state',
			'orderReference',
			'asked',
			'paidInFull',
			'transaction',
			'callback',
			'eventKey',
		]);
	});

	it('is a workflow to paste, with sample data of that shape', () => {
		const [, text] = /```json\n([\s\S]*?)```/.exec(read('docs/trigger.md'))!;
		const workflow = JSON.parse(text!) as {
			nodes: Array<{ name: string; type: string; typeVersion: number }>;
			pinData: Record<string, unknown[]>;
		};
		const [node] = workflow.nodes;
		expect(node!.type).toBe(`n8n-nodes-unified-payments.${description.name}`);
		expect(node!.typeVersion).toBe(description.version);
		// With one of ours, everybody who pastes it would have the same address.
		expect(node).not.toHaveProperty('webhookId');
		const [sample] = workflow.pinData[node!.name]!;
		const schema = JSON.parse(read(file)) as Schema;
		expect(names(schema).filter((path) => !has(sample, path))).toEqual([]);
	});
});
