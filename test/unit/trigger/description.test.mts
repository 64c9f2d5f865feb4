import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { choicesOf, membersOf } from '../../helpers/properties.mts';

const trigger = new UnifiedPaymentsTrigger();
const { description } = trigger;
const { properties } = description;

const members = membersOf(properties.find(({ name }) => name === 'options')!);
const valuesOf = (name: string) =>
	choicesOf([...properties, ...members].find((each) => each.name === name)!).map(
		({ value }) => value,
	);

const read = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

describe("the trigger's contract", () => {
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
		expect(valuesOf('verification')).toEqual(['confirm', 'token', 'hmac', 'none']);
		expect(valuesOf('states').sort()).toEqual(['failed', 'other', 'pending', 'success']);
		expect(valuesOf('transactionType')).toEqual(['auto', 'payin', 'payout']);
		expect(valuesOf('signatureAlgorithm')).toEqual(['sha256', 'sha384', 'sha512']);
		expect(valuesOf('signatureEncoding').sort()).toEqual(['base64', 'hex']);
	});

	it('has two endpoints, POST at a fixed path: answered when the callback is stored, or at the end', () => {
		const stored = { path: 'webhook', responseMode: 'onReceived', responseData: '' };
		const ended = { path: 'finished', responseMode: 'lastNode', responseData: 'noData' };
		expect(description.webhooks).toEqual([
			{ name: 'default', httpMethod: 'POST', ...stored },
			{ name: 'setup', httpMethod: 'POST', ...ended, ndvHideUrl: true },
		]);
	});

	it('has nothing to register or to remove at the service', async () => {
		const { checkExists, delete: remove } = trigger.webhookMethods.default;
		expect(await checkExists.call({} as never)).toBe(false);
		expect(await remove.call({} as never)).toBe(true);
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
