import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { withMembers } from '../../helpers/properties.mts';
import { PUBLISHED, textsOf } from './sources.mts';

const fields = [
	...new UnifiedPayments().description.properties,
	...new UnifiedPaymentsTrigger().description.properties,
	...new UnifiedPaymentsApi().properties,
].flatMap(withMembers);

/** A single word, such as "Amount", may be meant as a word. */
const LABELS = [...new Set(fields.map(({ displayName }) => displayName))].filter(
	(label) => label.includes(' ') && !label.includes('.'),
);
const NAMES = new Set([
	...LABELS,
	...fields.flatMap(({ options = [] }) => options.map(({ name }) => name)),
]);

/** Every text of the published code that is not itself a label or the name of a choice. */
const sentencesOf = (file: string) => textsOf(file).filter((text) => !NAMES.has(text));

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Labels that stand in a text without quotation marks. */
const bare = (text: string): string[] =>
	LABELS.filter((label) => new RegExp(`(?<!['\\w])${escaped(label)}(?!['\\w])`).test(text));

it('texts name fields in quotation marks', () => {
	const found = PUBLISHED.flatMap((file) =>
		sentencesOf(file).flatMap((text) =>
			bare(text).map((label) => `${file}: ${label} in "${text}"`),
		),
	);
	expect(LABELS.length).toBeGreaterThan(40);
	expect(found).toEqual([]);
});

/** Words that say nothing about what happened. */
const EMPTY_WORDS = /\b(?:error|problem|failure|mistake)s?\b/i;

it('no message uses words that say nothing', () => {
	const found = PUBLISHED.flatMap((file) =>
		sentencesOf(file)
			.filter((text) => text.includes(' ') && !text.includes('(?:'))
			.map((text) => text.replace("'Failure Statuses'", ''))
			.filter((text) => EMPTY_WORDS.test(text))
			.map((text) => `${file}: ${text}`),
	);
	// What a choice leaves out: the service has a field of that name.
	expect(found).toEqual([expect.stringContaining('Without status code and failure reason')]);
});
