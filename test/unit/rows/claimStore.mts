import { createClaims, type Claims } from '../../../nodes/UnifiedPayments/rows/claims/claims.ts';
import { locked } from '../../../nodes/UnifiedPayments/transport/limiter.ts';
import type { ProcessedKeys } from '../../../nodes/UnifiedPayments/transport/processedKeys.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

let stores = 0;

/** As the host's store is: read, pause, write back. It can die before or after any write. */
export function createStore(content: string[] = [], writesLeft = Infinity) {
	let left = writesLeft;
	const calls: string[] = [];
	const name = `store ${++stores}`;
	const write = async (call: string, change: () => void) => {
		await turn();
		calls.push(call);
		if (left-- <= 0) throw new Error('killed');
		change();
	};
	const keys: ProcessedKeys = {
		name,
		async record(entries) {
			const before = new Set(entries.filter((entry) => content.includes(entry)));
			await write(`record ${entries.length}`, () =>
				entries.forEach((entry) => before.has(entry) || content.push(entry)),
			);
			return before;
		},
		async remove(entries) {
			await write(`remove ${entries.length}`, () =>
				entries.forEach((entry) => {
					const at = content.indexOf(entry);
					if (at >= 0) content.splice(at, 1);
				}),
			);
		},
		count: async () => content.length,
		async trim(most) {
			await write(`trim ${most}`, () => content.splice(0, Math.max(0, content.length - most)));
		},
		alone: async (work) => await locked(name, work),
	};
	return { keys, content, calls };
}

type Wish = Parameters<Claims['claim']>[0][number];

export const wish = (key: string, changes: Partial<Wish> = {}): Wish => ({
	key,
	values: null,
	...changes,
});
export const wishes = (...keys: string[]) => keys.map((key) => wish(key));

/** Another process on the same store knows only what was written. */
export const elsewhere = (content: string[]) => createClaims(createStore(content).keys);
