// A character diff (Myers' greedy algorithm) for two texts that should have been the same.

const MAX_EDITS = 600;
const SHORTEST_ISLAND = 3;

/** Edit script between two arrays of characters, or null when they have too little in common. */
function editScript(a, b) {
	const limit = Math.min(a.length + b.length, MAX_EDITS);
	const furthest = new Map([[1, 0]]);
	const trace = [];
	for (let edits = 0; edits <= limit; edits++) {
		trace.push(new Map(furthest));
		for (let k = -edits; k <= edits; k += 2) {
			const down =
				k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
			let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
			let y = x - k;
			while (x < a.length && y < b.length && a[x] === b[y]) {
				x++;
				y++;
			}
			furthest.set(k, x);
			if (x >= a.length && y >= b.length) return backtrack(trace, a, b);
		}
	}
	return null;
}

function backtrack(trace, a, b) {
	const script = [];
	let x = a.length;
	let y = b.length;
	for (let edits = trace.length - 1; edits >= 0; edits--) {
		const furthest = trace[edits];
		const k = x - y;
		const down =
			k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
		const fromK = down ? k + 1 : k - 1;
		const fromX = furthest.get(fromK) ?? 0;
		const fromY = fromX - fromK;
		while (x > fromX && y > fromY && x > 0 && y > 0) {
			script.push(['same', a[--x]]);
			y--;
		}
		if (edits === 0) break;
		if (down) script.push(['right', b[--y]]);
		else script.push(['left', a[--x]]);
	}
	return script.reverse();
}

/** Rows of `{ same }` or `{ left, right }`; tiny matches inside a change are folded into it. */
function group(script) {
	const rows = [];
	for (const [kind, character] of script) {
		const last = rows.at(-1);
		if (kind === 'same') {
			if (last && 'same' in last) last.same += character;
			else rows.push({ same: character });
		} else {
			const row = last && 'left' in last ? last : { left: '', right: '' };
			if (row !== last) rows.push(row);
			row[kind] += character;
		}
	}
	const folded = [];
	rows.forEach((row, index) => {
		const last = folded.at(-1);
		const island =
			'same' in row && row.same.length < SHORTEST_ISLAND && index > 0 && index < rows.length - 1;
		if (island && last && 'left' in last) {
			last.left += row.same;
			last.right += row.same;
		} else if ('left' in row && last && 'left' in last) {
			last.left += row.left;
			last.right += row.right;
		} else {
			folded.push({ ...row });
		}
	});
	return folded;
}

/**
 * Something added between equal texts can often stand in several places: in 1200 → 1200.00 both
 * `00.` and `.00` are right. The last place is the one that reads well.
 */
function slide(row, before, after) {
	const side = row.left === '' ? 'right' : row.right === '' ? 'left' : null;
	if (!side || !before || !after || !('same' in before) || !('same' in after)) return row;
	let text = row[side];
	while (after.same.length > 1 && text[0] === after.same[0] && !/[\uD800-\uDFFF]/.test(text[0])) {
		before.same += text[0];
		text = text.slice(1) + text[0];
		after.same = after.same.slice(1);
	}
	return { ...row, [side]: text };
}

/** `[{ same: 'text' }, { left: 'only in the first', right: 'only in the second' }, …]` */
export function diff(left, right) {
	if (left === right) return left === '' ? [] : [{ same: left }];
	const shorter = Math.min(left.length, right.length);
	let start = 0;
	while (start < shorter && left[start] === right[start]) start++;
	if (splitsPair(left, start)) start--;
	let end = 0;
	while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end])
		end++;
	if (splitsPair(left, left.length - end)) end--;
	// Only the part in between is taken apart: a signed text with a logo has millions of characters.
	const middleLeft = left.slice(start, left.length - end);
	const middleRight = right.slice(start, right.length - end);
	const script = editScript(Array.from(middleLeft), Array.from(middleRight));
	const rows = script ? group(script) : [{ left: middleLeft, right: middleRight }];
	if (start > 0) rows.unshift({ same: left.slice(0, start) });
	if (end > 0) rows.push({ same: left.slice(left.length - end) });
	return rows.map((row, index) => slide(row, rows[index - 1], rows[index + 1]));
}

/** Whether cutting here would cut a character that takes two code units. */
const splitsPair = (text, at) =>
	/[\uD800-\uDBFF]/.test(text[at - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[at] ?? '');
