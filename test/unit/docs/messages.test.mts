import ts from 'typescript';

import { parse, PUBLISHED, sourceOf, textsOf, within } from '../structure/sources.mts';
import { read, tablesIn } from './markdown.mts';

const ANY = '…';

/** Spaces beside a value may belong to it. */
const tight = (text: string): string => text.replace(/\s*…\s*/g, ANY);

/** What is matched is a text, too: the words of the service. */
const patternsOf = (file: string) =>
	within(parse(file))
		.filter(ts.isRegularExpressionLiteral)
		.map(({ text }) => text.replace(/^\/|\/\w*$/g, ''));

const texts = PUBLISHED.flatMap((file) => [...textsOf(file), ...patternsOf(file)]).map(tight);

/** What stands between values, which are also rows and columns by their names. */
const piecesOf = (documented: string): string[] =>
	tight(documented.replace(/\brow (?:\d+|…)|the same order reference …|'Mobile'/g, ANY))
		.split(ANY)
		.filter((piece) => piece.length > 5);

const isSaid = (documented: string): boolean =>
	piecesOf(documented).every((piece) =>
		texts.some((text) => text.toLowerCase().includes(piece.toLowerCase())),
	);

/** "'Amount' in row 3 is "x", which …" is made of two texts, and of values. */
const partsOf = (message: string): string[] => {
	const split = /^'.+' in (?:order .+, )?row \d+ is .+?(?:, ((?:which|but|where) .+))?$/;
	const [whole, reason] = split.exec(message) ?? [];
	if (whole === undefined) return [message];
	return ["'…' in … is …", ...(reason === undefined ? [] : [reason])];
};

const tableOf = (file: string, head: string) =>
	tablesIn(read(file)).filter((table) => table.head[0] === head);

const inManual = tableOf('docs/operations.md', 'The message begins with').flatMap(({ rows }) =>
	rows.map(([cell]) => cell!),
);
const inReadme = tableOf('README.md', 'You read').flatMap(({ rows }) =>
	rows.flatMap(([cell]) => /^\*(.+)\*$/.exec(cell!)?.[1] ?? []),
);

it.each([...inManual, ...inReadme])('message in the documentation: %s', (message) => {
	expect(partsOf(message).filter((part) => !isSaid(part))).toEqual([]);
});

describe('reasons of the trigger', () => {
	const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

	it('for a refusal are documented, each with its status', () => {
		const source = sourceOf('nodes/UnifiedPayments/trigger/endpoint/checks.ts');
		const [, table = ''] = /const REFUSALS = \{([^}]*)\}/.exec(source) ?? [];
		const refusals = [...table.matchAll(/(\w+): (\d+)/g)].map(([, ...pair]) => pair);
		const documented = tableOf('docs/trigger.md', 'status').flatMap(({ rows }) =>
			rows.flatMap(([status, reasons]) => codes(reasons!).map((reason) => [reason, status])),
		);
		expect(refusals.length).toBeGreaterThan(5);
		expect(documented.sort()).toEqual(refusals.sort());
	});

	it('for a rejection are documented', () => {
		const source = sourceOf('nodes/UnifiedPayments/trigger/execution/rejection.ts');
		const [, table = ''] = /const ADVICE = \{([^]*?)\n\}/.exec(source) ?? [];
		const reasons = [...table.matchAll(/^\t(\w+):/gm)].map(([, reason]) => reason);
		const documented = tableOf('docs/trigger.md', '`reason`').flatMap(({ rows }) =>
			rows.flatMap(([cell]) => codes(cell!)),
		);
		expect(reasons.length).toBeGreaterThan(5);
		expect(documented.sort()).toEqual(reasons.sort());
	});
});
