import { DEMO_INTEGRATIONS } from '../integrations.mts';
import type { Callback, LoggedRequest, PaymentLink, Transaction, Wallet } from '../model.mts';
import type { Ledger } from '../store/ledger.mts';
import { newestFirst } from '../store/store.mts';
import type { World } from '../world.mts';

/** Read access for code in the same process; lists are newest first. */
export interface SandboxState {
	readonly links: PaymentLink[];
	readonly transactions: Transaction[];
	readonly wallets: Wallet[];
	readonly callbacks: Callback[];
	readonly requests: LoggedRequest[];
	readonly ledger: Pick<Ledger, 'accepted' | 'entries' | 'of' | 'countBy'>;
}

export function stateView({ store, log }: World): SandboxState {
	return {
		get links() {
			return newestFirst(store.links);
		},
		get transactions() {
			return newestFirst(store.transactions);
		},
		get wallets() {
			return store.wallets.list();
		},
		get callbacks() {
			return newestFirst(store.callbacks);
		},
		get requests() {
			return log.list();
		},
		ledger: store.ledger,
	};
}

/** The ready-made keys are no secret. A key that the user configured stays out of the page. */
const isPublic = (secretKey: string) =>
	DEMO_INTEGRATIONS.some((integration) => integration.secretKey === secretKey);

/** Everything, for programs; the page at the base URL is for people. */
export function stateSnapshot(world: World, limit: number) {
	const { settings, switches, store, log, faults } = world;
	return {
		switches: { ...switches },
		strict: settings.strict,
		integrations: settings.integrations.map(({ id, title, clientId, secretKey, signature }) => ({
			id,
			title,
			clientId,
			signature,
			...(isPublic(secretKey) ? { secretKey } : {}),
		})),
		links: newestFirst(store.links, limit),
		transactions: newestFirst(store.transactions, limit),
		wallets: store.wallets.list(),
		callbacks: newestFirst(store.callbacks, limit),
		requests: log.list().slice(0, limit),
		faults: faults.list(),
		ledger: { accepted: store.ledger.accepted },
		totals: {
			links: store.links.size,
			transactions: store.transactions.size,
			callbacks: store.callbacks.size,
			requests: log.total,
		},
	};
}
