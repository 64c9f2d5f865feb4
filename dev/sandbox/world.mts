import { Faults } from './faults/faults.mts';
import type { Integration } from './integrations.mts';
import { Callbacks } from './life/callbacks.mts';
import { Lifecycle } from './life/lifecycle.mts';
import { Lifetime } from './life/lifetime.mts';
import type { Settings } from './options.mts';
import { readOrder, type Order } from './protocol/orderMark.mts';
import { verdictFrom } from './protocol/verdict.mts';
import { RequestLog } from './store/requestLog.mts';
import { Journal, type Keep } from './store/journal.mts';
import { Store } from './store/store.mts';
import type { Switches } from './switches.mts';

/** Everything an endpoint can reach. */
export interface World {
	settings: Settings;
	/** Address of this sandbox, known once it listens. */
	url: string;
	/** What is in force now. */
	switches: Switches;
	store: Store;
	/** Called with every change of what outlives a restart. */
	changed: Keep;
	log: RequestLog;
	faults: Faults;
	callbacks: Callbacks;
	lifecycle: Lifecycle;
	/** Ends on close. */
	lifetime: Lifetime;
	integration(id: string): Integration | undefined;
	/** The order that a callback URL of this integration names. */
	orderIn(url: string | undefined, integration: Integration): Order | null;
	change(switches: Partial<Switches>): void;
	reset(): void;
	/** From here on changes are kept, if there is a file for them. */
	keep(): void;
	/** Nothing happens afterwards. */
	end(): void;
}

export function createWorld(settings: Settings): World {
	const journal = settings.stateFile === null ? null : new Journal(settings.stateFile);
	const keep = journal?.append ?? null;
	const changed: Keep = keep ?? (() => {});
	const switches = { ...settings.switches };
	const store = new Store(settings.integrations, keep);
	if (journal !== null) store.restore(journal.read());
	const integration = (id: string) => settings.integrations.find((one) => one.id === id);
	const callbacks = new Callbacks(store, changed, {
		retry: settings.callbackRetry,
		timeoutMs: settings.callbackTimeoutMs,
		clock: settings.clock,
		secretOf: (reference) =>
			integration(store.transactions.get(reference)?.integration ?? '')?.secretKey ?? '',
	});
	const lifecycle = new Lifecycle(settings, switches, store, changed, callbacks);
	const faults = new Faults();
	faults.plan(settings.faultPlan);
	const log = new RequestLog(settings.logLimit, (evidence) =>
		verdictFrom(evidence, settings.integrations),
	);
	const lifetime = new Lifetime();
	return {
		settings,
		url: '',
		switches,
		store,
		changed,
		log,
		faults,
		callbacks,
		lifecycle,
		lifetime,
		integration,
		orderIn(url, signer) {
			if (url === undefined) return null;
			// This machine may be called by its name or by its number.
			const named = this.url.replace('//127.0.0.1', '//localhost');
			return readOrder(url, signer, [this.url, named]);
		},
		change(given) {
			// In place, because everything that answers holds this object.
			Object.assign(switches, given);
		},
		reset() {
			lifecycle.stop();
			store.reset();
			journal?.begin(store.entries());
			log.clear();
			faults.clear();
			// A plan given as an option starts again from its first draw.
			faults.plan(settings.faultPlan);
			Object.assign(switches, settings.switches);
		},
		keep() {
			journal?.begin(store.entries());
		},
		end() {
			lifecycle.stop();
			lifetime.end();
			journal?.close();
		},
	};
}
