import { diffChars } from 'diff';
import type { TextPart } from '../model.mts';

/** Texts that differ more than this have nothing in common that would be worth showing. */
const MAX_EDITS = 300;
const SHORTEST_MATCH = 3;

/** Where two texts agree and where they differ. One or two equal characters inside a difference belong to it. */
export function compareTexts(expected: string, received: string): TextPart[] {
	const changes = diffChars(expected, received, { maxEditLength: MAX_EDITS });
	if (changes === undefined) return [{ expected, received }];
	const parts: TextPart[] = [];
	changes.forEach(({ value, count, added, removed }, index) => {
		const atAnEnd = index === 0 || index === changes.length - 1;
		if (!added && !removed && (atAnEnd || count >= SHORTEST_MATCH)) {
			parts.push({ same: value });
			return;
		}
		let last = parts.at(-1);
		if (last === undefined || 'same' in last) parts.push((last = { expected: '', received: '' }));
		if (!added) last.expected += value;
		if (!removed) last.received += value;
	});
	return parts;
}
