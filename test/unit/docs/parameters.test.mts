import type { INodeProperties } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { choicesOf, withMembers } from '../../helpers/properties.mts';
import { read, tablesIn } from './markdown.mts';

/** What a user fills in: neither notes nor groups, nor what is kept without being shown. */
const fieldsOf = (properties: INodeProperties[]): INodeProperties[] =>
	properties
		.flatMap(withMembers)
		.filter(({ type }) => !['notice', 'collection', 'hidden'].includes(type));

/** The words that lists with a search must carry in the editor are left out in texts. */
const labelOf = ({ displayName }: INodeProperties) => displayName.replace(/ Name or ID$/, '');

const action = fieldsOf(new UnifiedPayments().description.properties);
const trigger = fieldsOf(new UnifiedPaymentsTrigger().description.properties);
const credential = fieldsOf(new UnifiedPaymentsApi().properties);

/** Tables that say which fields there are, not what they give or understand. */
const fieldTables = (file: string) =>
	tablesIn(read(file)).filter(({ head }) => ['Field', 'Option'].includes(head[0]!));

it('docs/operations.md names parameters by their labels', () => {
	const cells = fieldTables('docs/operations.md').flatMap(({ rows }) =>
		rows.map(([cell]) => cell!),
	);
	const named = cells.flatMap((cell) => [...cell.matchAll(/([^`,]+?)\s*`([^`]+)`/g)]);
	expect(named.length).toBeGreaterThan(25);
	const wrong = named.filter(
		([, label, name]) =>
			!action.some((field) => field.name === name && labelOf(field) === label!.trim()),
	);
	expect(wrong.map(([text]) => text)).toEqual([]);
});

describe('every field of the editor is documented', () => {
	/** As a whole, so that "Type" is not found in "Payment Method Type". */
	const mentions = (text: string, label: string): boolean => {
		const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		return new RegExp(`(?:^#+ |[|*,])\\s*${escaped}(?=\\s*(?:[\`|*,]|$))`, 'm').test(text);
	};

	it.each([
		['the node', action, ['docs/operations.md']],
		['the trigger', trigger, ['docs/trigger.md', 'docs/credentials.md']],
		['the credential', credential, ['docs/credentials.md']],
	] as const)('of %s', (_, fields, files) => {
		const text = files.map(read).join('\n');
		const labels = [...new Set(fields.map(labelOf))].filter(
			(label) => !['Resource', 'Operation'].includes(label),
		);
		expect(labels.length).toBeGreaterThan(5);
		expect(labels.filter((label) => !mentions(text, label))).toEqual([]);
	});

	it('and every operation', () => {
		const { properties } = new UnifiedPayments().description;
		const resources = choicesOf(properties.find(({ name }) => name === 'resource')!);
		const operations = properties
			.filter(({ name }) => name === 'operation')
			.flatMap((picker) => {
				const shownFor = picker.displayOptions?.show?.resource?.[0];
				const resource = resources.find(({ value }) => value === shownFor)!.name;
				return choicesOf(picker).map(({ name }) => `## ${resource}: ${name}\n`);
			});
		const text = read('docs/operations.md');
		expect(operations.length).toBeGreaterThan(6);
		expect(operations.filter((heading) => !text.includes(heading))).toEqual([]);
	});
});
