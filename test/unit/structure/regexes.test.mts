import { join, relative } from 'node:path';

import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { analyse } from 'scslre';
import ts from 'typescript';

// Loaded before the files that use it: what it makes is not ours.
import 'n8n-workflow';

import { NODE, parse, PUBLISHED, within } from './sources.mts';

/**
 * Every regular expression of the published files is given texts that were made from its own
 * pattern, each 1, 2, 4 and 8 times as long: it must not take much more time than in proportion.
 */
const BASE = 8000;

interface Found {
	file: string;
	regex: RegExp;
}

const nameOf = ({ file, regex }: Found) => `${file} ${regex}`;

/** How long the text can be, where a limit stands elsewhere than in the pattern. */
const LONGEST: Readonly<Record<string, number>> = {
	// Two decimals.
	[`${NODE}/payment/money.ts /0+$/`]: 2,
	// The digits of an amount.
	[`${NODE}/payment/money.ts /\\B(?=(?:\\d{3})+$)/g`]: 40,
	// Checked in the line above.
	[`${NODE}/payment/amount.ts /0+$/`]: 20,
	// A part of what the whole pattern has checked.
	[`${NODE}/payment/fingerprint.ts /(\\d+)([A-Z]{3})(\\d+)/`]: 42,
};

const literals = PUBLISHED.flatMap((file) =>
	within(parse(file))
		.filter(ts.isRegularExpressionLiteral)
		.map(({ text }): Found => {
			const end = text.lastIndexOf('/');
			return { file, regex: new RegExp(text.slice(1, end), text.slice(end + 1)) };
		}),
);

/** How often each file says `RegExp(…)`. */
const written = PUBLISHED.map((file): [string, number] => [
	file,
	within(parse(file)).filter(
		(node) =>
			(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
			ts.isIdentifier(node.expression) &&
			node.expression.text === 'RegExp',
	).length,
]).filter(([, count]) => count > 0);

/** Uses files that make regular expressions when they are called, and not when they are loaded. */
const USES: Readonly<Record<string, (module: Record<string, CallableFunction>) => void>> = {
	[`${NODE}/protocol/callback.ts`]: ({ signatureRefusal }) => {
		const how = { algorithm: 'sha256', encoding: 'hex' };
		signatureRefusal!(Buffer.from('{}'), 'sha256=00', 'key', how);
	},
	[`${NODE}/waiting/address.ts`]: ({ awaitedIn }) => awaitedIn!('https://example.com/'),
};

const nothing = () => undefined;

/** What these files make with `RegExp(…)`, and where. */
function constructed(): Array<Found & { place: string }> {
	const found: Array<Found & { place: string }> = [];
	const Own = RegExp;
	const make = (given: unknown[]): RegExp => {
		const regex = Reflect.construct(Own, given) as RegExp;
		// The error itself, this function, its caller below, and the one who wants a regular expression.
		const [, path = '', at = ''] = /\(?([^(]+?)(:\d+:\d+)\)?$/.exec(
			new Error().stack!.split('\n')[3]!,
		)!;
		const file = relative(process.cwd(), path.replace(/^ +at /, ''));
		if (PUBLISHED.includes(file)) found.push({ file, regex, place: file + at });
		return regex;
	};
	globalThis.RegExp = new Proxy(Own, {
		construct: (_, given) => make(given),
		apply: (_, __, given) => make(given),
	});
	try {
		for (const [file] of written)
			(USES[file] ?? nothing)(jest.requireActual(join(process.cwd(), file)));
	} finally {
		globalThis.RegExp = Own;
	}
	return found;
}

/** Some characters that a class or a letter of the pattern stands for, and one that it does not. */
const SAMPLES = [...'a0A-_.:;=&?#/\\"\'`([{<>)]}+*%$,!~ \n\t\u00e9\u0301'];

/** Characters of the pattern, and texts that it begins to match, up to and with each repetition. */
function piecesOf(regex: RegExp): { characters: Set<string>; beginnings: Set<string> } {
	const characters = new Set(analyse(regex).reports.map((each) => each.character.pick));
	const beginnings = new Set(['']);
	const written = (node: AST.Node): string => {
		switch (node.type) {
			case 'Pattern':
			case 'Group':
			case 'CapturingGroup':
				return node.alternatives.map(written)[0] ?? '';
			case 'Assertion':
				if ('alternatives' in node) node.alternatives.forEach(written);
				return '';
			case 'Alternative':
				return node.elements.reduce((text, element) => {
					const next = text + written(element);
					if (element.type === 'Quantifier') beginnings.add(text).add(next);
					return next;
				}, '');
			case 'Quantifier':
				return written(node.element).repeat(Math.min(Math.max(node.min, 1), 64));
			case 'Character':
				return String.fromCodePoint(node.value);
			case 'CharacterSet':
			case 'CharacterClass': {
				const own = new RegExp(`^(?:${node.raw})$`, regex.flags.replace(/[gy]/g, ''));
				const fitting = SAMPLES.filter((each) => own.test(each));
				fitting.forEach((each) => characters.add(each));
				return fitting[0] ?? 'a';
			}
			default:
				return '';
		}
	};
	const { pattern } = new RegExpParser().parseLiteral(String(regex));
	written(pattern);
	visitRegExpAST(pattern, {
		onCharacterEnter: ({ value }) => void characters.add(String.fromCodePoint(value)),
	});
	return { characters, beginnings };
}

/** One that fits next to nothing, and one that is fitting at first. */
const ENDS = ['\n\u0001', 'x\nx'];

/** What is repeated, and what stands before it; the end fits nothing, so that all ways are tried. */
function pumpsOf(regex: RegExp): Array<(length: number) => string> {
	const { characters, beginnings } = piecesOf(regex);
	const before = ['', ...[...beginnings].sort((a, b) => b.length - a.length)].slice(0, 6);
	return [...new Set([...characters, ...beginnings])]
		.filter((each) => each !== '')
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
const MAX_GROWTH = 24;

/** Whether the time for a text grows faster than its length. */
function isSlow(regex: RegExp, pump: (length: number) => string, longest: number): boolean {
	// What is exponential would never come to the end of a longer one.
	if (bestOf(2, regex, pump(24)) > QUICK_MS) return true;
	const times = [1, 2].map((part) => timeOf(regex, pump((longest * part) / 8)));
	if (times.every((each, at) => each < PROMPT_MS * 2 ** at)) return false;
	const long = bestOf(3, regex, pump(longest));
	return long > QUICK_MS && long / bestOf(9, regex, pump(longest / 8)) > MAX_GROWTH;
}

/** A text for which the time grows faster than the length, or null. */
function slowText(regex: RegExp, longest = 8 * BASE): string | null {
	const found = pumpsOf(regex).find((pump) => isSlow(regex, pump, longest));
	return found === undefined ? null : JSON.stringify(found(24));
}

const made = constructed();
const distinct = [...new Map([...literals, ...made].map((each) => [nameOf(each), each])).values()];

it('every regular expression that is put together is tried', () => {
	const places = [...new Set(made.map(({ place }) => place))];
	const seen = written.map(([file]) => [
		file,
		places.filter((at) => at.startsWith(`${file}:`)).length,
	]);
	expect(seen).toEqual(written);
});

it('what has a limit elsewhere is still there', () => {
	const names = distinct.map(nameOf);
	expect(Object.keys(LONGEST).filter((each) => !names.includes(each))).toEqual([]);
});

it.each(distinct.map((each) => [nameOf(each), each] as const))(
	'takes time in proportion to the length: %s',
	(name, { regex }) => {
		expect(slowText(regex, LONGEST[name])).toBeNull();
	},
);

it.each([
	/0+$/,
	/[([{][^)\]}]*[)\]}]/g,
	/(?:\$if|\.first\s*(?:\?\.)?)\s*\(/,
	/\B(?=(?:\d{3})+$)/g,
	/^(?:ab)*(?:ab)*$/,
])('what does not is found: %s', (regex) => {
	// Shorter, since each of them takes its time.
	expect(slowText(regex, 2 * BASE)).not.toBeNull();
});
