import { z } from 'zod';
import { isoTime } from './time.mts';
import type { World } from '../world.mts';

const MOST = 200_000;

/** Links that somebody else made in the same account, so that a client's own are found in a long list. */
export const otherLinksSchema = z
	.object({
		count: z.number().int().min(1).max(MOST).default(1000),
		integration: z.string().optional(),
	})
	.strict();

export type OtherLinksInput = z.input<typeof otherLinksSchema>;

/** They are in no ledger, because no request created them. */
export function addOtherLinks(
	world: World,
	{ count, integration }: z.output<typeof otherLinksSchema>,
): { added: number } {
	const createdAt = isoTime(world.settings.clock());
	for (let index = 0; index < count; index++) {
		const reference = world.store.nextReference('PL');
		world.store.links.set(reference, {
			reference,
			integration: integration ?? world.settings.integrations[0]?.id ?? '',
			link: `${world.url}/pay/${reference}`,
			createdAt,
			state: 'open',
			amount: 100 + (index % 900),
			currency: 'KES',
			country: 'Kenya',
			country_id: 1,
			currency_country_id: null,
			business_name: 'Another till',
			item_name: `Sale ${index + 1}`,
			first_name: null,
			last_name: null,
			email: null,
			phone: null,
			callback_url: `https://till.example/paid?sale=${reference}`,
			redirection_url: null,
			order: null,
			hasLogo: false,
			transaction: null,
		});
	}
	return { added: count };
}
