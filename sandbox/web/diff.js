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

/** `[{ same: 'text' }, { left: 'only in the first', right: 'only in the second' }, …]` */
export function diff(left, right) {
	if (left === right) return left === '' ? [] : [{ same: left }];
	const a = Array.from(left);
	const b = Array.from(right);
	let start = 0;
	while (start < a.length && start < b.length && a[start] === b[start]) start++;
	let end = 0;
	while (
		end < a.length - start &&
		end < b.length - start &&
		a[a.length - 1 - end] === b[b.length - 1 - end]
	)
		end++;
	const middleA = a.slice(start, a.length - end);
	const middleB = b.slice(start, b.length - end);
	const script = editScript(middleA, middleB);
	const middle = script ? group(script) : [{ left: middleA.join(''), right: middleB.join('') }];
	const rows = [];
	if (start > 0) rows.push({ same: a.slice(0, start).join('') });
	rows.push(...middle);
	if (end > 0) rows.push({ same: a.slice(a.length - end).join('') });
	return rows;
}
