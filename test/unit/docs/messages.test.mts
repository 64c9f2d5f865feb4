import ts from 'typescript';

import { explainFailure } from '../../../nodes/UnifiedPayments/transport/explain.ts';
import { failureOf, type FailureKind } from '../../../nodes/UnifiedPayments/transport/verdict.ts';
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

/**
 * How many characters of what is documented stand literally in a text, when the text can begin like
 * it; -1 when it cannot. Both may hold `…`.
 */
function common(documented: string, text: string): number {
	const known = new Map<number, number>();
	const from = (at: number, in_: number): number => {
		if (at === documented.length) return 0;
		const key = at * (text.length + 1) + in_;
		const before = known.get(key);
		if (before !== undefined) return before;
		const ways: number[] = [-1];
		const [a, b] = [documented[at], text[in_]];
		if (a === ANY) {
			ways.push(from(at + 1, in_));
			if (b !== undefined) ways.push(from(at, in_ + 1));
		} else if (b === ANY) {
			ways.push(from(at, in_ + 1), from(at + 1, in_));
		} else if (b !== undefined && a!.toLowerCase() === b.toLowerCase()) {
			const rest = from(at + 1, in_ + 1);
			ways.push(rest < 0 ? -1 : rest + 1);
		}
		const best = Math.max(...ways);
		known.set(key, best);
		return best;
	};
	return from(0, 0);
}

/** Most of it must be there word for word: a text that is all placeholders proves nothing. */
const isSaid = (documented: string): boolean => {
	const wanted = tight(documented);
	const least = 0.6 * wanted.replaceAll(ANY, '').length;
	return texts.some((text) => common(wanted, text) >= least);
};

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

describe('messages in the documentation', () => {
	it.each([...inManual, ...inReadme])('%s', (message) => {
		expect(partsOf(message).filter((part) => !isSaid(part))).toEqual([]);
	});
});

describe('every way a request can end is in the manual', () => {
	const KINDS: Record<FailureKind, true> = {
		notConnected: true,
		noReply: true,
		rateLimited: true,
		serverFault: true,
		refused: true,
		notAuthorized: true,
		unclearRefusal: true,
		redirected: true,
		invalidReply: true,
		mismatch: true,
		namedTwice: true,
	};

	it.each(Object.keys(KINDS) as FailureKind[])('%s', (kind) => {
		const subject = { name: 'the payment link', creates: true };
		const { message } = explainFailure(failureOf(kind, { code: 'amount' }), subject);
		const covered = inManual.filter((documented) => common(tight(documented), message) > 10);
		expect(covered).not.toEqual([]);
	});
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
