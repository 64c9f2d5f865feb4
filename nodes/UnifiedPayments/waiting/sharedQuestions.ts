import { createLimiter } from '../transport/limiter';
import type { Answer } from './status';

interface UnderWay {
	answer: Promise<Answer>;
	next?: Promise<Answer>;
}

/**
 * Those who ask the same at the same time share the answer. One that was asked for before a caller
 * came may be too old for it: then it is asked for once more, for all who wait.
 */
export function createSharing(
	lanes: number,
): (question: string, ask: () => Promise<Answer>) => Promise<Answer> {
	const limit = createLimiter(lanes);
	const underWay = new Map<string, UnderWay>();
	return async (question, ask) => {
		const start = async () => {
			const answer = limit(ask);
			const current: UnderWay = { answer };
			underWay.set(question, current);
			const end = () => {
				if (underWay.get(question) === current) underWay.delete(question);
			};
			answer.then(end, end);
			return await answer;
		};
		const current = underWay.get(question);
		if (current === undefined) return await start();
		current.next ??= current.answer.catch(() => null).then(start);
		return await current.next;
	};
}
