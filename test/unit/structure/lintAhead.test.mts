// Rules of n8n's lint for community packages that are in its repository, and not yet in the release used here.
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { withMembers } from '../../helpers/properties.mts';
import { NODE as FOLDER, sourceOf } from './sources.mts';

/** The list in n8n's documentation of codex files. */
const CATEGORIES = [
	...['Data & Storage', 'Finance & Accounting', 'Marketing & Content', 'Productivity'],
	...['Miscellaneous', 'Sales', 'Development', 'Analytics', 'Communication', 'Utility'],
];

/**
 * Optional fields outside a collection. The rule reads only fields that are written in the `.node.ts` itself,
 * so it says nothing about these. Their names are saved in workflows, and they stay: they decide what else is
 * shown, n8n's guidelines want them there, or a payment without them is hard to find again.
 */
const AT_THE_TOP = [
	...['inputMode', 'table', 'type', 'apiVersion', 'verification', 'states', 'callbackTokenState'],
	...['returnAll', 'limit', 'simplify', 'output', 'fields'],
	...['currency', 'paymentMethodType', 'orderReference', 'callbackUrl', 'walletAccount'],
	'tryWithLink',
	...['waitLimitMinutes', 'maxWaitSeconds', 'intervalSeconds'],
];

describe.each<[string, INodeTypeDescription]>([
	['UnifiedPayments', new UnifiedPayments().description],
	['UnifiedPaymentsTrigger', new UnifiedPaymentsTrigger().description],
])('%s', (name, { properties }) => {
	const codex = JSON.parse(sourceOf(`${FOLDER}/${name}.node.json`)) as {
		categories: string[];
	};

	it("has categories of n8n's list, and no subcategories (valid-node-categories)", () => {
		expect(codex).not.toHaveProperty('subcategories');
		expect(codex.categories.length).toBeGreaterThan(0);
		expect(CATEGORIES).toEqual(expect.arrayContaining(codex.categories));
	});

	it('has hints of at most 120 characters (hint-max-length)', () => {
		const long = properties.flatMap(withMembers).filter(({ hint = '' }) => hint.length > 120);
		expect(long.map(({ displayName }) => displayName)).toEqual([]);
	});

	it('has optional fields in collections, but for these (non-required-fields-in-collection)', () => {
		const SELECTORS = ['resource', 'operation', 'authentication'];
		const OTHERS = ['collection', 'fixedCollection', 'notice', 'callout', 'hidden', 'curlImport'];
		const atTheTop = properties.filter(
			(property) =>
				property.required !== true &&
				!SELECTORS.includes(property.name) &&
				!OTHERS.includes(property.type),
		);
		expect(AT_THE_TOP).toEqual(expect.arrayContaining(atTheTop.map((each) => each.name)));
		expect(sourceOf(`${FOLDER}/${name}.node.ts`)).toContain('\t\tproperties,\n');
	});
});

describe('the icon (icon-contrast)', () => {
	const BACKGROUNDS = { light: 1, dark: luminance('#2b2b2b') };
	/** The goal of WCAG for graphics; n8n warns below 1.5. */
	const MINIMUM = 3;

	function luminance(color: string): number {
		const hex = color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color;
		const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
		const [red = 0, green = 0, blue = 0] = parts.map((share) =>
			share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
		);
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	}

	it.each([
		['the node', new UnifiedPayments().description.icon, FOLDER],
		['the trigger', new UnifiedPaymentsTrigger().description.icon, FOLDER],
		['the credential', new UnifiedPaymentsApi().icon, 'credentials'],
	])('of %s can be seen on both backgrounds', (_, icon, folder) => {
		for (const theme of ['light', 'dark'] as const) {
			const file = (icon as Record<'light' | 'dark', string>)[theme].replace('file:', '');
			const colors = [...sourceOf(join(folder, file)).matchAll(/(?:fill|stroke)="(#[0-9a-f]+)"/gi)];
			const contrasts = colors.map(([, color]) => {
				const [behind, own] = [BACKGROUNDS[theme], luminance(color!)];
				return (Math.max(behind, own) + 0.05) / (Math.min(behind, own) + 0.05);
			});
			expect(Math.max(...contrasts)).toBeGreaterThanOrEqual(MINIMUM);
		}
	});
});
