import type { ProcessedKeys } from '../../transport/processedKeys';
import type { SentRow } from '../create/sentRow';
import { outcomeOfRow, type ReadyRow } from '../row';

/** `sent`: it was accepted. `open`: it was sent, and no answer is on record. */
type Sent = 'sent' | 'open';

/**
 * What the creates of a workflow tell its checks. Each node has claims of its own, which no other
 * node can read; this is a list that they share. It protects nothing: when it is wrong, the claims
 * still are right.
 */
export interface SentBefore {
	/** For a create: what became of its rows. */
	tell(rows: readonly SentRow[]): Promise<void>;
	/** For a check: what earlier creates told about these rows. */
	ask(rows: readonly ReadyRow[]): Promise<Array<Sent | null>>;
}

const entries = ({ key }: { key: string }) => ({
	sent: `${key} sent`,
	open: `${key} open`,
	asked: `${key} asked`,
});

export function createSentBefore(store: ProcessedKeys): SentBefore {
	return {
		async tell(rows) {
			const told = rows.flatMap(({ request: { key, isCompared }, result }) => {
				if (!isCompared) return [];
				const { sent, open } = entries(key);
				const outcome = outcomeOfRow(result);
				if (outcome === 'accepted' || outcome === 'duplicate') return [sent];
				return outcome === 'unknown' ? [open] : [];
			});
			if (told.length > 0) await store.alone(async () => await store.record(told));
		},

		async ask(rows) {
			const keys = rows.flatMap(({ request: { key, isCompared } }) =>
				isCompared ? [entries(key)] : [],
			);
			if (keys.length === 0) return rows.map(() => null);
			return await store.alone(async () => {
				// The store can only be asked by writing to it, so what was not there is taken out again.
				const all = keys.flatMap(({ asked, sent, open }) => [asked, sent, open]);
				const before = await store.record(all);
				await store.remove(
					keys.flatMap(({ asked, sent, open }) => [
						asked,
						...[sent, open].filter((entry) => !before.has(entry)),
					]),
				);
				return rows.map(({ request: { key, isCompared } }) => {
					if (!isCompared) return null;
					const { asked, sent, open } = entries(key);
					// Left behind by a check that was interrupted: the others may be, too.
					if (before.has(asked)) return null;
					if (before.has(sent)) return 'sent';
					return before.has(open) ? 'open' : null;
				});
			});
		},
	};
}
