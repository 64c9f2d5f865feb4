import { dirname, join } from 'node:path';

import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { analyse } from 'scslre';
import ts from 'typescript';

import { filesBelow, sourceOf } from './sources.mts';

/**
 * Every regular expression of the published files is given texts that were made from its own
 * pattern, each 1, 2, 4 and 8 times as long: it must not take much more time than in proportion.
 */
const NODE = 'nodes/UnifiedPayments';
const BASE = 8000;

interface Found {
	file: string;
	regex: RegExp;
}

const nameOf = ({ file, regex }: Found) => `${file} ${regex}`;

/** Its text has a limit that is no part of the pattern: it is tried up to that length only. */
interface Bounded {
	longest: number;
	why: string;
}

const BOUNDED: Readonly<Record<string, Bounded>> = {
	[`${NODE}/payment/money.ts /0+$/`]: { longest: 2, why: 'two decimals' },
	[`${NODE}/payment/money.ts /\\B(?=(?:\\d{3})+$)/g`]: { longest: 40, why: 'digits of an amount' },
	[`${NODE}/payment/sameValue.ts /0+$/`]: { longest: 20, why: 'checked in the line above' },
	[`${NODE}/payment/fingerprint.ts /(\\d+)([A-Z]{3})(\\d+)/`]: {
		longest: 42,
		why: 'a part of what the whole pattern has checked',
	},
};

const PUBLISHED = ['nodes', 'credentials'].flatMap((folder) => filesBelow(folder, /\.ts$/));

const isConstructed = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
	(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
	ts.isIdentifier(node.expression) &&
	node.expression.text === 'RegExp';

interface Sites {
	literals: RegExp[];
	constructed: number;
}

function sitesIn(file: string): Sites {
	const sites: Sites = { literals: [], constructed: 0 };
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			sites.literals.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
		} else if (isConstructed(node)) sites.constructed++;
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, sourceOf(file), ts.ScriptTarget.Latest, true));
	return sites;
}

/** Uses a file so that it makes all of its regular expressions. */
type Use = (module: Record<string, never>) => void;

interface FakeRedactor {
	add(issued: string[], chosen: string[]): void;
}

const nothing: Use = () => undefined;
const USES: Readonly<Record<string, Use>> = {
	[`${NODE}/protocol/callback.ts`]: ({ isSignedBy }) => {
		const how = { algorithm: 'sha256', encoding: 'hex' };
		(isSignedBy as (...given: unknown[]) => unknown)(how, 'key', Buffer.from('{}'), 'sha256=00');
	},
	[`${NODE}/protocol/notFound.ts`]: nothing,
	[`${NODE}/rows/template.ts`]: nothing,
	[`${NODE}/transport/redact.ts`]: ({ Redactor }) => {
		new (Redactor as new () => FakeRedactor)().add([], ['a-callback-token/1+2', 'another']);
	},
	[`${NODE}/waiting/address.ts`]: ({ isResumeAddress }) => {
		(isResumeAddress as (url: string) => unknown)('https://example.com/');
	},
};

/** What a file makes with `RegExp(…)`, and at how many of its places. */
function constructedIn(file: string): { regexes: RegExp[]; places: number } {
	const regexes: RegExp[] = [];
	const places = new Set<number>();
	const record: ts.TransformerFactory<ts.SourceFile> = (context) => (source) => {
		const visit = (node: ts.Node): ts.Node => {
			const inner = ts.visitEachChild(node, visit, context);
			if (!isConstructed(inner)) return inner;
			const place = context.factory.createNumericLiteral(node.pos);
			const given = [place, ...(inner.arguments ?? [])];
			return context.factory.createCallExpression(
				context.factory.createIdentifier('made'),
				undefined,
				given,
			);
		};
		return ts.visitEachChild(source, visit, context);
	};
	const { outputText } = ts.transpileModule(sourceOf(file), {
		compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
		transformers: { before: [record] },
	});
	const made = (place: number, ...given: [string, string?]) => {
		const regex = new RegExp(...given);
		places.add(place);
		regexes.push(regex);
		return regex;
	};
	const load = (name: string): unknown =>
		name.startsWith('.')
			? jest.requireActual(join(process.cwd(), dirname(file), name))
			: jest.requireActual(name);
	const module = { exports: {} };
	new Function('require', 'exports', 'module', 'made', outputText)(
		load,
		module.exports,
		module,
		made,
	);
	USES[file]?.(module.exports);
	return { regexes, places: places.size };
}

/** Some characters that a class or a letter of the pattern stands for, and one that it does not. */
const SAMPLES = [...'a0A-_.:;=&?#/\\"\'`([{<>)]}+*%$,!~ \n\t\u00e9\u0301'];

function charactersOf(regex: RegExp): string[] {
	const found = new Set<string>(analyse(regex).reports.map((each) => characterOf(each.character)));
	const add = (node: AST.Character | AST.CharacterSet | AST.CharacterClass) => {
		if (node.type === 'Character') found.add(String.fromCodePoint(node.value));
		else {
			const own = new RegExp(`^(?:${node.raw})$`, regex.flags.replace(/[gy]/g, ''));
			SAMPLES.filter((each) => own.test(each)).forEach((each) => found.add(each));
		}
	};
	visitRegExpAST(new RegExpParser().parseLiteral(String(regex)), {
		onCharacterEnter: add,
		onCharacterSetEnter: add,
		onCharacterClassEnter: add,
	});
	return [...found];
}

const characterOf = ({ source, flags }: RegExp): string => {
	const own = new RegExp(`^(?:${source})$`, flags);
	return SAMPLES.find((each) => own.test(each)) ?? 'a';
};

/** A text that the pattern begins to match: its first alternatives, every repetition once. */
function beginningsOf(regex: RegExp): string[] {
	const texts: string[] = [''];
	const written = (node: AST.Node): string => {
		switch (node.type) {
			case 'RegExpLiteral':
				return written(node.pattern);
			case 'Pattern':
			case 'Group':
			case 'CapturingGroup':
				return node.alternatives.map(written)[0] ?? '';
			case 'Alternative':
				return node.elements.reduce((text, element) => {
					const next = text + written(element);
					texts.push(next);
					return next;
				}, '');
			case 'Quantifier':
				return written(node.element).repeat(Math.min(Math.max(node.min, 1), 64));
			case 'Character':
				return String.fromCodePoint(node.value);
			case 'CharacterSet':
			case 'CharacterClass':
				return characterOf(new RegExp(node.raw, regex.flags.replace(/[gy]/g, '')));
			default:
				return '';
		}
	};
	written(new RegExpParser().parseLiteral(String(regex)));
	return [...new Set(texts)];
}

/** What is repeated, and what stands before it; the end fits nothing, so that all ways are tried. */
function pumpsOf(regex: RegExp): Array<(length: number) => string> {
	const beginnings = beginningsOf(regex);
	const characters = charactersOf(regex).slice(0, 40);
	const repeated = [...new Set([...characters, ...beginnings.filter((each) => each !== '')])];
	const before = ['', ...beginnings.sort((a, b) => b.length - a.length)].slice(0, 12);
	return repeated.flatMap((each) =>
		[...new Set(before)].map(
			(start) => (length: number) =>
				`${start}${each.repeat(Math.ceil(length / each.length))}\n\u0001`,
		),
	);
}

function timeOf(regex: RegExp, text: string): number {
	const begin = performance.now();
	// As it is used: once, or for every place of a text.
	if (regex.global) text.replace(regex, '');
	else {
		regex.lastIndex = 0;
		regex.test(text);
	}
	return performance.now() - begin;
}

/** Of several runs the quickest: whatever else the machine does only adds to it. */
const bestOf = (runs: number, regex: RegExp, text: string): number =>
	Math.min(...Array.from({ length: runs }, () => timeOf(regex, text)));

/** Shorter than this it is quick in any case, and too short to be compared. */
const QUICK_MS = 20;
/** Eight times the length takes eight times as long, quadratic 64 times. */
const MOST_GROWTH = 20;

/** The texts for which the time grows faster than the length. */
function slowTexts(regex: RegExp, longest = 8 * BASE): string[] {
	return pumpsOf(regex).flatMap((pump) => {
		const text = pump(longest);
		// Twice as long each time, so that what is exponential is stopped early.
		for (const part of [8, 4, 2]) {
			if (timeOf(regex, pump(longest / part)) > 1000) return [text.slice(0, 80)];
		}
		if (timeOf(regex, text) < QUICK_MS) return [];
		const long = bestOf(3, regex, text);
		if (long < QUICK_MS) return [];
		const short = bestOf(5, regex, pump(longest / 8));
		return long / short < MOST_GROWTH ? [] : [`${text.slice(0, 80)} (${Math.round(long)} ms)`];
	});
}

const sites = new Map(PUBLISHED.map((file) => [file, sitesIn(file)]));
const constructed = new Map(
	[...sites]
		.filter(([, each]) => each.constructed > 0)
		.map(([file]) => [file, constructedIn(file)]),
);
const all: Found[] = [
	...[...sites].flatMap(([file, { literals }]) => literals.map((regex) => ({ file, regex }))),
	...[...constructed].flatMap(([file, { regexes }]) => regexes.map((regex) => ({ file, regex }))),
];
const distinct = [...new Map(all.map((each) => [nameOf(each), each])).values()];

it('every regular expression that is put together is tried', () => {
	const seen = Object.fromEntries([...constructed].map(([file, { places }]) => [file, places]));
	const written = [...sites].filter(([, each]) => each.constructed > 0);
	expect(seen).toEqual(Object.fromEntries(written.map(([file, each]) => [file, each.constructed])));
});

it('what has a limit elsewhere is still there', () => {
	const names = distinct.map(nameOf);
	expect(Object.keys(BOUNDED).filter((each) => !names.includes(each))).toEqual([]);
});

it.each(distinct.map((each) => [nameOf(each), each] as const))(
	'takes time in proportion to the length: %s',
	(name, { regex }) => {
		expect(slowTexts(regex, BOUNDED[name]?.longest)).toEqual([]);
	},
);

it.each([
	/0+$/,
	/[([{][^)\]}]*[)\]}]/g,
	/^payment[\s._:-]+(.+)$/i,
	/[.,;:!)\]}]+$/,
	/(?:\$if|\.first\s*(?:\?\.)?)\s*\(/,
	/\B(?=(?:\d{3})+$)/g,
	/^(?:ab)*(?:ab)*$/,
])('what does not is found: %s', (regex) => {
	expect(slowTexts(regex)).not.toEqual([]);
});
