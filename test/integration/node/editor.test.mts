import { readFileSync } from 'node:fs';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { loadOptions } from '../../../dev/host/engine/index.mts';
import { COLLECT, LINK, runPayments, startTapped } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';
import { runLinks } from '../../helpers/waiting.mts';

const currencies = async (parameters: INodeParameters) =>
	await loadOptions(new UnifiedPayments(), 'getCurrencies', { parameters });

describe('the currency dropdown', () => {
	it("follows the country of a collection, and offers that country's currency alone", async () => {
		expect(await currencies({ resource: 'collection', country: 'UG' })).toEqual([
			{ name: 'Automatic (UGX)', value: 'auto' },
			{ name: 'UGX', value: 'UGX' },
		]);
	});

	it('offers every currency of the table for a link', async () => {
		const options = await currencies({ resource: 'paymentLink', country: 'Ivory Coast' });
		expect(options[0]).toEqual({ name: 'Automatic (XOF)', value: 'auto' });
		const all = 'GHS KES NGN SLE TZS UGX XAF XOF ZMW';
		expect(options.slice(1).map(({ value }) => value)).toEqual(all.split(' '));
	});

	it('offers what there is when the country comes from an expression', async () => {
		const options = await currencies({ resource: 'collection', country: '={{ $json.country }}' });
		expect(options[0]).toMatchObject({ value: 'auto' });
		expect(options).toHaveLength(8);
	});
});

describe('the output schemas', () => {
	const service = throughout(async () => await startTapped({ mode: 'rich' }));

	const run = async (resource: string, operation: string, parameters: () => INodeParameters) =>
		await runPayments(
			{ ...parameters(), resource, operation },
			{ credential: service.credential() },
		);

	beforeAll(async () => {
		// Something to get.
		for (const each of runs.filter(([, operation]) => operation === 'create')) await run(...each);
	});

	interface Schema {
		type: string;
		properties?: Record<string, Schema>;
		items?: Schema;
	}

	const schemaOf = (resource: string, operation: string) =>
		JSON.parse(
			readFileSync(`nodes/UnifiedPayments/__schema__/v2.0.0/${resource}/${operation}.json`, 'utf8'),
		) as Schema;

	/** Where a value is not what the schema says; a missing or null value is no contradiction. */
	const contradictions = (schema: Schema, value: unknown, path = '$'): string[] => {
		if (value === undefined || value === null) return [];
		const type = Array.isArray(value) ? 'array' : typeof value;
		const expected = schema.type === 'integer' ? 'number' : schema.type;
		if (type !== expected) return [`${path} is ${type}, not ${schema.type}`];
		if (Array.isArray(value)) {
			return value.flatMap((each, index) =>
				contradictions(schema.items ?? { type: typeof each }, each, `${path}[${index}]`),
			);
		}
		return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
			contradictions(inner, (value as IDataObject)[key], `${path}.${key}`),
		);
	};

	const ofTransaction = () => ({ reference: service.sandbox.state.transactions[0]!.ref });
	const runs: Array<[string, string, () => INodeParameters]> = [
		['paymentLink', 'create', () => LINK],
		['paymentLink', 'check', () => LINK],
		['paymentLink', 'getAll', () => ({})],
		['paymentLink', 'get', () => ({ paymentLink: service.sandbox.state.links[0]!.reference })],
		['collection', 'create', () => COLLECT],
		['collection', 'check', () => ({ ...COLLECT, amount: 'five' })],
		// Final at once, so that it does not sleep.
		['collection', 'createAndWait', () => ({ ...COLLECT, amount: 990200 })],
		['transaction', 'get', ofTransaction],
		['transaction', 'waitUntilFinal', () => ({ ...ofTransaction(), maxWaitSeconds: 1 })],
		['balance', 'get', () => ({})],
		['account', 'diagnose', () => ({})],
		['token', 'get', () => ({})],
		['country', 'getAll', () => ({ table: 'collections', simplify: false })],
	];

	const expectAsInSchema = (resource: string, operation: string, item: IDataObject | undefined) => {
		const schema = schemaOf(resource, operation);
		expect(contradictions(schema, item)).toEqual([]);
		expect(Object.keys(schema.properties!).filter((key) => !(key in item!))).toEqual([]);
	};

	it.each(runs)('say what %s %s gives', async (resource, operation, parameters) => {
		const { successJson } = await run(resource, operation, parameters);
		expectAsInSchema(resource, operation, successJson[0]);
	});

	it('say what paymentLink waitUntilPaid gives', async () => {
		const rows = [{ amount: 5, order: 'A-1' }];
		const sleeper = await runLinks({ credential: service.credential(), rows });
		const [item] = (await sleeper.timeOut()).json('Success');
		await sleeper.close();
		expectAsInSchema('paymentLink', 'waitUntilPaid', item);
	});

	it.each([
		['balance', 'get'],
		['paymentLink', 'get'],
		['paymentLink', 'getAll'],
	])('invent nothing where the specification is silent: %s %s', (resource, operation) => {
		expect(schemaOf(resource, operation).properties).toEqual({});
	});

	it('exist for every operation of the node', () => {
		const { properties } = new UnifiedPayments().description;
		const pickers = properties.filter(({ name }) => name === 'operation');
		const operations = pickers.flatMap(({ displayOptions, options }) =>
			(options ?? []).map((option) => [
				String(displayOptions?.show?.resource?.[0]),
				String((option as { value: string }).value),
			]),
		);
		expect(operations.sort()).toEqual(
			[
				['paymentLink', 'waitUntilPaid'],
				...runs.map(([resource, operation]) => [resource, operation]),
			].sort(),
		);
	});
});

describe('as a tool of an AI agent', () => {
	const { properties } = new UnifiedPayments().description;
	const named = (name: string) => properties.find((property) => property.name === name);

	it('has a choice of output instead of the switch', () => {
		expect(named('simplify')?.displayOptions?.hide).toEqual({ '@tool': [true] });
		expect(named('output')?.displayOptions?.show).toMatchObject({ '@tool': [true] });
		expect(named('fields')?.displayOptions?.show).toMatchObject({ '@tool': [true] });
	});
});
