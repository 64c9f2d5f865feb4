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
	[`${NODE}/payment/compare.ts /0+$/`]: { longest: 20, why: 'checked in the line above' },
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
type Use = (module: Record<string, unknown>) => void;

const nothing: Use = () => undefined;
const USES: Readonly<Record<string, Use>> = {
	[`${NODE}/protocol/callback.ts`]: ({ isSignedBy }) => {
		const how = { algorithm: 'sha256', encoding: 'hex' };
		(isSignedBy as (...given: unknown[]) => unknown)(Buffer.from('{}'), 'sha256=00', 'key', how);
	},
	[`${NODE}/protocol/mayBeThere.ts`]: nothing,
	[`${NODE}/protocol/notFound.ts`]: nothing,
	[`${NODE}/rows/read/template.ts`]: nothing,
	[`${NODE}/waiting/address.ts`]: ({ awaitedIn }) => {
		(awaitedIn as (url: string) => unknown)('https://example.com/');
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
	const found = new Set<string>(analyse(regex).reports.map((each) => each.character.pick));
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

/** Texts that the pattern begins to match, up to and with each of its repetitions. */
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
					if (element.type === 'Quantifier') texts.push(text, next);
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

/** One that fits next to nothing, and one that is fitting at first. */
const ENDS = ['\n\u0001', 'x\nx'];

/** What is repeated, and what stands before it; the end fits nothing, so that all ways are tried. */
function pumpsOf(regex: RegExp): Array<(length: number) => string> {
	const beginnings = beginningsOf(regex);
	const characters = charactersOf(regex);
	const repeated = new Set([...characters, ...beginnings.filter((each) => each !== '')]);
	const before = ['', ...beginnings.sort((a, b) => b.length - a.length)].slice(0, 6);
	return [...repeated]
		.slice(0, 60)
		.flatMap((each) =>
			[...new Set(before)].flatMap((start) =>
				ENDS.map(
					(end) => (length: number) =>
						`${start}${each.repeat(Math.ceil(length / each.length))}${end}`,
				),
			),
		);
}

function timeOf(regex: RegExp, text: string): number {
	// Time of the processor, which does not pass while others have their turn.
	const begin = process.cpuUsage();
	// As it is used: once, or for every place of a text.
	if (regex.global) text.replace(regex, '');
	else {
		regex.lastIndex = 0;
		regex.test(text);
	}
	const { user, system } = process.cpuUsage(begin);
	return (user + system) / 1000;
}

/** Of several runs the quickest: whatever else the machine does only adds to it. */
const bestOf = (runs: number, regex: RegExp, text: string): number =>
	Math.min(...Array.from({ length: runs }, () => timeOf(regex, text)));

/** Shorter than this it is quick in any case, and too short to be compared. */
const QUICK_MS = 50;
/** For a text of the base length. Quadratic, that takes ten times as long. */
const PROMPT_MS = 1;
/** Eight times the length takes eight times as long, quadratic 64 times. */
const MOST_GROWTH = 24;

/** Whether the time for a text grows faster than its length. */
function isSlow(regex: RegExp, pump: (length: number) => string, longest: number): boolean {
	// What is exponential would never come to the end of a longer one.
	if (bestOf(2, regex, pump(24)) > QUICK_MS) return true;
	const times = [1, 2].map((part) => timeOf(regex, pump((longest * part) / 8)));
	if (times.every((each, at) => each < PROMPT_MS * 2 ** at)) return false;
	const long = bestOf(3, regex, pump(longest));
	return long > QUICK_MS && long / bestOf(9, regex, pump(longest / 8)) > MOST_GROWTH;
}

/** A text for which the time grows faster than the length, or null. */
function slowText(regex: RegExp, longest = 8 * BASE): string | null {
	const found = pumpsOf(regex).find((pump) => isSlow(regex, pump, longest));
	return found === undefined ? null : JSON.stringify(found(24));
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

it('what has a limit elsewhere, or is known to be slow, is still there', () => {
	const names = distinct.map(nameOf);
	expect(Object.keys(BOUNDED).filter((each) => !names.includes(each))).toEqual([]);
});

it.each(distinct.map((each) => [nameOf(each), each] as const))(
	'takes time in proportion to the length: %s',
	(name, { regex }) => {
		expect(slowText(regex, BOUNDED[name]?.longest)).toBeNull();
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
	// Shorter, since each of them takes its time.
	expect(slowText(regex, 2 * BASE)).not.toBeNull();
});
