import fc from 'fast-check';

import type { Claim } from '../../../nodes/UnifiedPayments/rows/claims/claimRecords.ts';
import { createClaims } from '../../../nodes/UnifiedPayments/rows/claims/claims.ts';
import { createStore, elsewhere, wish, wishes } from './claimStore.mts';
import { runs } from '../../helpers/runs.mts';

/**
 * Processes that are killed at any write, with runs that skip or send what is unanswered, and with
 * the oldest entries forgotten in between. Nothing is sent twice that is not forgotten, unless a
 * person looked it up and did not find it, no answer is made up, and every payment has a way out.
 */
it.each([
	['', 0],
	[', and whatever is forgotten', 6],
])(
	'a claim errs on the safe side wherever it is interrupted%s',
	async (_, mostForgotten) => {
		let kills = 0;
		let forgotten = 0;
		const life = fc.record({
			writes: fc.nat({ max: 7 }),
			sendUnanswered: fc.boolean(),
			forget: fc.nat({ max: mostForgotten }),
			values: fc.constantFrom(null, '90 KES', '100 KES'),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(life, { minLength: 1, maxLength: 10 }),
				fc.infiniteStream(fc.constantFrom('answered', 'released', 'lost', 'gone')),
				async (lives, ends) => {
					const content: string[] = [];
					const keys = ['a', 'b', 'c', 'd'];
					/** What the service has, as far as the node can still know, and what a person heard of. */
					const taken = new Map<string, number>();
					const told = new Set<string>();
					const answered = new Set<string>();
					/** After two kills and two cuts, each at one spot: see the decision about claims. */
					const excused = new Set<string>();
					for (const { writes, sendUnanswered, forget, values } of lives) {
						const claims = createClaims(createStore(content, writes).keys);
						try {
							const given = await claims.claim(keys.map((key) => wish(key, { values })));
							// A person looks up what is open, and sends again only what is not there.
							const again = keys.filter(
								(key, at) =>
									sendUnanswered && given[at] === 'open' && told.has(key) && !taken.has(key),
							);
							const taking = await claims.takeOver(again.map((key) => wish(key, { values })));
							again.forEach((key, at) => (given[keys.indexOf(key)] = taking[at]!));
							given.forEach((claim: Claim, index) => {
								const key = keys[index]!;
								if (claim === 'sent') expect([...answered, ...excused]).toContain(key);
								if (claim === 'mine') expect(taken.has(key)).toBe(false);
								if (claim !== 'mine') told.add(key);
							});
							for (const key of keys.filter((_, index) => given[index] === 'mine')) {
								const end = ends.next().value as string;
								if (end === 'answered' || end === 'lost') taken.set(key, (taken.get(key) ?? 0) + 1);
								if (end === 'answered') answered.add(key);
								claims.end(key, end === 'answered' || end === 'released' ? end : 'unanswered');
							}
							await claims.flush();
						} catch (error) {
							expect((error as Error).message).toBe('killed');
							kills++;
						}
						for (const entry of content.splice(0, forget)) {
							if (keys.includes(entry)) {
								taken.delete(entry);
								forgotten++;
							} else if (entry.endsWith(' asked') && content.includes(entry.replace(/ asked$/, '')))
								excused.add(entry.split(' ')[0]!);
						}
					}
					expect([...taken.values()].filter((times) => times > 1)).toEqual([]);
					// One more look: whatever happened, each payment has an answer or a way out.
					const last = await elsewhere([...content]).claim(wishes(...keys));
					for (const claim of last) expect(['mine', 'sent', 'open']).toContain(claim);
					// A key of its own is always a way out.
					const own = await elsewhere(content).claim(keys.map((key) => wish(`${key} once more`)));
					expect(own).toEqual(keys.map(() => 'mine'));
				},
			),
			{ numRuns: runs(3000) },
		);
		expect(kills).toBeGreaterThan(100);
		expect(forgotten > 0).toBe(mostForgotten > 0);
	},
	120_000,
);
