import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';

const isProperty = (option: object): option is INodeProperties => 'displayName' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

const withMembers = (property: INodeProperties): INodeProperties[] => [
	property,
	...(property.options ?? []).filter(isProperty).flatMap(withMembers),
];

/** Names that say all there is to say: what they mean stands in the field's own description. */
const SAYS_IT_ALL = [
	/^HMAC-SHA\d{3}$/,
	/^(?:Base64|Hexadecimal)$/,
	/^(?:Failed|Pending|Success)$/,
	/^(?:Collection \(Payin\)|Disbursement \(Payout\))$/,
	/^[A-Z]{3}$/,
	/^(?:All Currencies|Let the Service Decide|None)$/,
];

/** The record's own names, in a list for AI agents. */
const OWN_NAMES = ['fields'];

describe.each([
	['the node', new UnifiedPayments().description.properties],
	['the trigger', new UnifiedPaymentsTrigger().description.properties],
	['the credential', new UnifiedPaymentsApi().properties],
])('%s tells somebody who does not program', (_, properties) => {
	const all = properties.flatMap(withMembers);
	const fields = all.filter(
		({ type, name }) =>
			!['notice', 'collection'].includes(type) && !['resource', 'operation'].includes(name),
	);

	it('what every field is for', () => {
		expect(fields.length).toBeGreaterThan(5);
		const silent = fields.filter(({ description = '' }) => !/^[A-Z0-9].{9}/.test(description));
		expect(silent.map(({ displayName }) => displayName)).toEqual([]);
	});

	it('more than the label says', () => {
		const words = (text: string) => text.toLowerCase().replace(/[^a-z0-9 ]/g, '');
		const echoes = fields.filter(
			({ displayName, description = '' }) => words(description) === words(displayName),
		);
		expect(echoes.map(({ displayName }) => displayName)).toEqual([]);
	});

	it('what every choice means', () => {
		const silent = fields
			.filter(({ name }) => !OWN_NAMES.includes(name))
			.flatMap(({ displayName, options = [] }) =>
				options
					.filter(isChoice)
					.filter(({ name }) => !SAYS_IT_ALL.some((pattern) => pattern.test(name)))
					.filter(({ description = '' }) => description.length < 5)
					.map(({ name }) => `${displayName}: ${name}`),
			);
		expect(silent).toEqual([]);
	});

	it('what a switch does, beginning with Whether', () => {
		const switches = fields.filter(({ type }) => type === 'boolean');
		const others = switches.filter(({ description = '' }) => !description.startsWith('Whether '));
		expect(others.map(({ displayName }) => displayName)).toEqual([]);
	});

	it('what could stand in a field, beginning with e.g.', () => {
		const wrong = fields.filter(
			({ placeholder }) => placeholder !== undefined && !/^e\.g\. \S/.test(placeholder),
		);
		expect(wrong.map(({ displayName }) => displayName)).toEqual([]);
	});

	it('nothing about problems or mistakes', () => {
		const texts = all.flatMap(({ displayName, description = '', hint = '' }) => [
			displayName,
			description,
			hint,
		]);
		expect(texts.filter((text) => /\b(?:problem|mistake)s?\b/i.test(text))).toEqual([]);
	});
});

/** n8n 2.0 cannot open a node of which one field depends on what is no field beside it. */
it.each([
	['the node', new UnifiedPayments().description.properties],
	['the trigger', new UnifiedPaymentsTrigger().description.properties],
	['the credential', new UnifiedPaymentsApi().properties],
])('%s shows fields by fields that every release of n8n finds', (_, properties) => {
	const names = properties.map(({ name }) => name);
	const deciding = properties.flatMap(({ displayOptions: { show, hide } = {} }) =>
		Object.keys({ ...show, ...hide }),
	);
	// Of the host itself, or from the root, which n8n has at hand.
	const looked = deciding.filter((name) => !/^[@/]/.test(name));
	expect(looked.filter((name) => !names.includes(name))).toEqual([]);
});
