import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { withMembers } from '../../helpers/properties.mts';

const SMALL = /^(?:a|an|and|as|at|by|for|from|in|of|on|or|per|the|to|with)$/;
const isTitleCase = (text: string) =>
	text
		.replace(/[()]/g, '')
		.split(/[\s/]+/)
		.every((word, index) => /^[A-Z0-9]/.test(word) || (index > 0 && SMALL.test(word)));

describe.each([
	['the node', new UnifiedPayments().description.properties],
	['the trigger', new UnifiedPaymentsTrigger().description.properties],
	['the credential', new UnifiedPaymentsApi().properties],
])('%s tells somebody who does not program', (_, properties) => {
	const all = properties.flatMap(withMembers).filter(({ type }) => type !== 'notice');
	const fields = all.filter(
		({ type, name }) => type !== 'collection' && !['resource', 'operation'].includes(name),
	);
	/** The labels of the fields of which it does not hold. */
	const unless = (holds: (field: (typeof fields)[number]) => boolean) =>
		fields.filter((field) => !holds(field)).map(({ displayName }) => displayName);

	it('what every field is for, which is more than the label says', () => {
		expect(fields.length).toBeGreaterThan(5);
		expect(unless(({ description = '' }) => /^[A-Z0-9].{9}/.test(description))).toEqual([]);
		const words = (text = '') => text.toLowerCase().replace(/[^a-z0-9 ]/g, '');
		expect(
			unless(({ displayName, description }) => words(description) !== words(displayName)),
		).toEqual([]);
	});

	it("in n8n's way: labels in title case, switches with Whether, examples with e.g.", () => {
		const labels = all.map(({ displayName }) => displayName);
		expect(labels.filter((label) => !isTitleCase(label))).toEqual([]);
		expect(
			unless(({ type, description = '' }) => type !== 'boolean' || /^Whether /.test(description)),
		).toEqual([]);
		// A rule of n8n's lint that is not in the release used here.
		expect(unless(({ hint = '' }) => hint.length <= 120)).toEqual([]);
		expect(unless(({ placeholder = 'e.g. x' }) => /^e\.g\. \S/.test(placeholder))).toEqual([]);
		const isTyped = ({ type, typeOptions, default: value }: (typeof fields)[number]) =>
			type === 'string' && value === '' && !typeOptions?.password;
		expect(unless((field) => !isTyped(field) || field.placeholder !== undefined)).toEqual([]);
	});

	/** n8n 2.0 cannot open a node of which one field depends on what is no field beside it. */
	it('by fields that every release of n8n finds', () => {
		const names = properties.map(({ name }) => name);
		const deciding = properties.flatMap(({ displayOptions: { show, hide } = {} }) =>
			Object.keys({ ...show, ...hide }),
		);
		// Of the host itself, or from the root, which n8n has at hand.
		const looked = deciding.filter((name) => !/^[@/]/.test(name));
		expect(looked.filter((name) => !names.includes(name))).toEqual([]);
	});
});

/** Every text that the editor shows, without what only n8n's AI builders and the trigger's help pages say. */
function textsIn(value: unknown, name = ''): Array<[name: string, text: string]> {
	if (['builderHint', 'executionsHelp', 'displayCondition'].includes(name)) return [];
	if (typeof value === 'string') return [[name, value.replace(/<[^>]*>/g, '')]];
	return Object.entries(value ?? {}).flatMap(([key, each]) => textsIn(each, key));
}

it.each([
	['the node', new UnifiedPayments().description],
	['the trigger', new UnifiedPaymentsTrigger().description],
	['the credential', { properties: new UnifiedPaymentsApi().properties }],
])('no text of %s is longer than people read', (_, shown) => {
	const texts = textsIn(shown).filter(([, text]) => !text.startsWith('='));
	expect(texts.length).toBeGreaterThan(50);
	expect(texts.filter(([, text]) => text.split(/\s+/).length > 40)).toEqual([]);
	const hints = [
		...texts.filter(([name]) => name === 'hint'),
		...('hints' in shown ? textsIn(shown.hints) : []),
	];
	expect(hints.filter(([, text]) => text.length > 120)).toEqual([]);
});

it('every action names its resource', () => {
	const { properties } = new UnifiedPayments().description;
	const labels = new Map(
		properties
			.find(({ name }) => name === 'resource')!
			.options!.map((each) => [(each as { value: string }).value, each.name.toLowerCase()]),
	);
	const actions = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [], displayOptions }) =>
			options.map((each) => ({
				action: (each as { action: string }).action,
				resource: labels.get(String(displayOptions?.show?.resource?.[0]))!,
			})),
		);
	expect(actions.length).toBeGreaterThan(10);
	const stem = (word: string) => word.replace(/(?:y|ies|s)$/, '');
	expect(
		actions.filter(({ action, resource }) => !action.toLowerCase().includes(stem(resource))),
	).toEqual([]);
});

it.each([
	['the node', new UnifiedPayments().description],
	['the trigger', new UnifiedPaymentsTrigger().description],
])("n8n's AI builders read only of values and parameters of %s that exist", (_, description) => {
	const { searchHint = '' } = description.builderHint ?? {};
	const all = description.properties.flatMap(withMembers);
	const values = all.flatMap(({ options = [] }) =>
		options.map((option) => String('value' in option ? option.value : option.name)),
	);
	const ofItems = ['fingerprint', 'state', 'orderReference', 'paidInFull'];
	const known = [...all.map(({ name }) => name), ...values, ...ofItems];
	const named = [...searchHint.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
	expect(named.length).toBeGreaterThan(0);
	expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
