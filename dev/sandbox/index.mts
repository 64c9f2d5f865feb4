import { settleByHand } from './admin/records.mts';
import { stateView, type SandboxState } from './admin/state.mts';
import type { Faults } from './faults/faults.mts';
import { createApp } from './http/app.mts';
import type { Integration } from './integrations.mts';
import { addOtherLinks, otherLinksSchema, type OtherLinksInput } from './life/otherLinks.mts';
import { resume } from './life/resume.mts';
import { addPayout, payoutSchema, type PayoutInput } from './life/payout.mts';
import type { Transaction } from './model.mts';
import { resolveOptions, type SandboxOptions } from './options.mts';
import type { Switches } from './switches.mts';
import { createWorld } from './world.mts';

export type * from './model.mts';
export type { Fault, FaultKind, FaultPlan, FaultRuleInput } from './faults/rule.mts';
export type { Integration, IntegrationConfig } from './integrations.mts';
export type { SandboxOptions } from './options.mts';
export type { Switches } from './switches.mts';
export { DEMO_INTEGRATIONS } from './integrations.mts';
export { MAGIC_VALUES } from './life/magic.mts';
export { FAULT_KINDS } from './faults/rule.mts';
export { allowedBy } from './privateAddress.mts';

export interface Sandbox {
	readonly url: string;
	readonly port: number;
	/** With their keys; the first is the default one. */
	readonly integrations: readonly Integration[];
	readonly state: SandboxState;
	readonly faults: Pick<Faults, 'add' | 'clear' | 'list' | 'plan'>;
	/** What is in force now. */
	readonly switches: Readonly<Switches>;
	change(switches: Partial<Switches>): void;
	/** Ends a pending transaction now. Throws when there is none, or when it is final. */
	settle(
		ref: string,
		outcome: 'success' | 'failed' | { status: 'success' | 'failed'; failureCode?: string },
	): Transaction;
	addPayout(payout?: PayoutInput): Transaction;
	/** Links that nobody asked this sandbox for, to make the list long. */
	addOtherLinks(links?: OtherLinksInput): void;
	/** Back to the start: no records, opening balances, the switches and the fault plan it was started with. */
	reset(): void;
	close(): Promise<void>;
}

/** Starts the service that plays the Unified Payments API, ready when the promise resolves. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const settings = resolveOptions(options);
	const world = createWorld(settings);
	const app = createApp(world);
	await app.listen({ host: settings.host, port: settings.port });
	const address = app.server.address();
	const port = typeof address === 'object' && address !== null ? address.port : settings.port;
	const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
	world.url = (settings.publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, '');
	// Only now, because a second sandbox on the same port and file must leave the file alone.
	world.keep();
	resume(world);
	return {
		url: world.url,
		port,
		integrations: settings.integrations,
		state: stateView(world),
		faults: world.faults,
		switches: world.switches,
		change: (switches) => world.change(switches),
		settle: (ref, outcome) =>
			settleByHand(world, ref, typeof outcome === 'string' ? { status: outcome } : outcome),
		addPayout: (payout = {}) => addPayout(world, payoutSchema.parse(payout)),
		addOtherLinks: (links = {}) => void addOtherLinks(world, otherLinksSchema.parse(links)),
		reset: () => world.reset(),
		async close() {
			world.end();
			await app.close();
		},
	};
}
