import { setTimeout as wait } from 'node:timers/promises';

/** Asks again and again until there is an answer; the error says what it was waiting for. */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined>,
	{ seconds = 60, everyMs = 50 } = {},
): Promise<T> {
	const deadline = Date.now() + seconds * 1000;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`Waited ${seconds} s in vain for ${what}`);
		await wait(everyMs);
	}
}
