/** `={{ $json.name }}`, `={{ $json["Full name"] }}`, `={{ $json.customer['E-mail'] }}` */
const DRAGGED =
	/^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"'`\\{}[\]\n\r]+"|'[^"'`\\{}[\]\n\r]+')\])+)\s*\}\}$/;
const NAME = /\.([\w$]+)|\[["']([^\]"']+)["']\]/g;

/** Longer ones are no column that somebody dragged. */
const LONGEST = 500;

/** The names on the way to a column that was dragged from the input; null for every other value, and for names that n8n guards. */
export function pathOf(saved: unknown): readonly string[] | null {
	const found = typeof saved === 'string' && saved.length <= LONGEST ? DRAGGED.exec(saved) : null;
	if (found === null) return null;
	const names = [...(found[1] ?? '').matchAll(NAME)].map(([, dotted, quoted]) => dotted ?? quoted!);
	return names.every((name) => !(name in {})) ? names : null;
}

/** Its value in an item, where n8n would give just that: dates, objects and errors are left to n8n. */
export function valueAt(path: readonly string[], json: object): { value: unknown } | null {
	let value: unknown = json;
	for (const name of path) {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
		value = (value as Record<string, unknown>)[name];
	}
	const isPlain =
		value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
	return isPlain ? { value } : null;
}
