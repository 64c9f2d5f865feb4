import { filesBelow } from '../structure/sources.mts';

export { sourceOf as read } from '../structure/sources.mts';

/** Everything written for people, as paths from the root. */
export const documents = (): string[] => [
	...['README.md', 'CHANGELOG.md', 'dev/sandbox/README.md'],
	...['docs', '.github'].flatMap((folder) => filesBelow(folder, /\.md$/)),
];

/** Without code blocks, in which nothing is a link, a heading or a table. */
const proseOf = (text: string): string =>
	text.replace(/^([ \t]*)(`{3,})[^]*?^\1\2[ \t]*$/gm, '').replace(/<!--[^]*?-->/g, '');

/** Where the links and pictures of a text lead. */
export function targetsIn(text: string): string[] {
	const prose = proseOf(text).replace(/`[^`\n]*`/g, '``');
	const patterns = [
		/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g,
		/^\s*\[[^\]]+\]:\s*(\S+)/gm,
		/<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)="([^"\s]+)/g,
	];
	return patterns.flatMap((pattern) => [...prose.matchAll(pattern)].map(([, target]) => target!));
}

/** The anchors of a text's headings, as GitHub makes them. */
export function anchorsIn(text: string): Set<string> {
	const found = new Set<string>();
	for (const [, heading] of proseOf(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
		const slug = heading!
			.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
			.trim()
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
			.replaceAll(' ', '-');
		let anchor = slug;
		for (let again = 1; found.has(anchor); again++) anchor = `${slug}-${again}`;
		found.add(anchor);
	}
	return found;
}

/** The blocks of code in one language. */
export const blocksIn = (text: string, language: string): string[] =>
	[...text.matchAll(/^(\s*)```(\w*)\n([^]*?)^\1```\s*$/gm)]
		.filter(([, , name]) => name === language)
		.map(([, , , code]) => code!);

export interface Table {
	head: string[];
	rows: string[][];
}

const cellsOf = (line: string): string[] =>
	line
		.trim()
		.replace(/^\||\|$/g, '')
		.split(/(?<!\\)\|/)
		.map((cell) => cell.trim());

export function tablesIn(text: string): Table[] {
	const tables: Table[] = [];
	let open: Table | undefined;
	for (const line of proseOf(text).split('\n')) {
		if (!line.startsWith('|')) open = undefined;
		else if (open === undefined) tables.push((open = { head: cellsOf(line), rows: [] }));
		else if (!/^\|[\s|:-]+\|$/.test(line)) open.rows.push(cellsOf(line));
	}
	return tables;
}
