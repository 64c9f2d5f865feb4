import type { World } from '../world.mts';
import { scriptFor } from './magic.mts';

/** Takes up again what a restart interrupted, once the sandbox listens. */
export function resume(world: World): void {
	const { store, lifecycle, callbacks, url } = world;
	// The sandbox may have another address this time, and a link must open.
	for (const link of store.links.values()) link.link = `${url}/pay/${link.reference}`;
	const unsent = [...store.callbacks.values()].filter(({ status }) => status === 'pending');
	for (const callback of unsent) void callbacks.redeliver(callback);
	for (const transaction of store.transactions.values())
		if (transaction.kind === 'collection' && transaction.state === 'pending')
			void lifecycle.follow(transaction, scriptFor(transaction.amount, transaction.mobile));
}
