// Rules of n8n's lint for community packages that are in its repository, and not yet in the release used here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { withMembers } from '../../helpers/properties.mts';

const FOLDER = 'nodes/UnifiedPayments';
const credential = new UnifiedPaymentsApi();

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
	const codex = JSON.parse(readFileSync(join(FOLDER, `${name}.node.json`), 'utf8')) as {
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
		const source = readFileSync(join(FOLDER, `${name}.node.ts`), 'utf8');
		expect(source).toContain('\t\tproperties,\n');
	});
});

describe('the icon (icon-contrast)', () => {
	const BACKGROUNDS = { light: '#ffffff', dark: '#2b2b2b' };
	/** The goal of WCAG for graphics; n8n warns below 1.5. */
	const MINIMUM = 3;

	const luminance = (color: string): number => {
		const hex = color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color;
		const [red, green, blue] = [1, 3, 5].map((at) => {
			const share = parseInt(hex.slice(at, at + 2), 16) / 255;
			return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
		}) as [number, number, number];
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const contrast = (one: string, other: string): number => {
		const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
			number,
			number,
		];
		return (light + 0.05) / (dark + 0.05);
	};

	it('measures contrast as WCAG does', () => {
		expect(contrast('#000', '#ffffff')).toBe(21);
		expect(contrast('#000000', '#2b2b2b')).toBeCloseTo(1.48, 2);
	});

	it.each([
		['the node', new UnifiedPayments().description.icon, FOLDER],
		['the trigger', new UnifiedPaymentsTrigger().description.icon, FOLDER],
		['the credential', credential.icon, 'credentials'],
	])('of %s can be seen on both backgrounds', (_, icon, folder) => {
		for (const theme of ['light', 'dark'] as const) {
			const file = (icon as Record<'light' | 'dark', string>)[theme].replace('file:', '');
			const svg = readFileSync(join(folder, file), 'utf8');
			const colors = [...svg.matchAll(/(?:fill|stroke)="(#[0-9a-f]+)"/gi)].map(([, each]) => each!);
			const best = Math.max(...colors.map((color) => contrast(color, BACKGROUNDS[theme])));
			expect(best).toBeGreaterThanOrEqual(MINIMUM);
		}
	});
});
