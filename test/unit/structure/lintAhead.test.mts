// Rules of n8n's lint for community packages that are in its repository, and not yet in the release used here.
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { withMembers } from '../../helpers/properties.mts';
import { NODE as FOLDER, sourceOf } from './sources.mts';

describe.each<[string, INodeTypeDescription]>([
	['UnifiedPayments', new UnifiedPayments().description],
	['UnifiedPaymentsTrigger', new UnifiedPaymentsTrigger().description],
])('%s', (_, { properties }) => {
	it('has hints of at most 120 characters (hint-max-length)', () => {
		const long = properties.flatMap(withMembers).filter(({ hint = '' }) => hint.length > 120);
		expect(long.map(({ displayName }) => displayName)).toEqual([]);
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
