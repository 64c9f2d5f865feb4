import { join } from 'node:path';

import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { analyse } from 'scslre';
import ts from 'typescript';

import { filesBelow, sourceOf } from './sources.mts';

const NODE = 'nodes/UnifiedPayments';

/** The analysis finds these slow for texts without an end; none of them is ever given one. */
const BOUNDED: Readonly<Record<string, string>> = {
	'fields/sheet.ts /[([{][^)\\]}]*([)\\]}]|$)/g': 'a heading of at most 500 characters',
	'payment/compare.ts /0+$/': '20 characters, checked in the line above',
	'payment/fingerprint.ts /(\\d+)([A-Z]{3})(\\d+)/': 'part of what a whole pattern has checked',
	'payment/money.ts /0+$/': 'two decimals',
	'payment/money.ts /\\B(?=(?:\\d{3})+$)/g': 'digits of an amount',
	'payment/whose.ts /[?#].*$/s': 'the first sign matches to the end',
	'waiting/address.ts /[?#].*$/s': 'the first sign matches to the end',
	'trigger/endpoint/allowList.ts /%.*$/s': 'the first sign matches to the end',
};

const PUBLISHED = ['nodes', 'credentials'].flatMap((folder) => filesBelow(folder, /\.ts$/));

function literalsIn(file: string): RegExp[] {
	const found: RegExp[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			found.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, sourceOf(file), ts.ScriptTarget.Latest, true));
	return found;
}

/** What the files make with `new RegExp` when they are loaded and used. */
function constructed(): RegExp[] {
	const made: RegExp[] = [];
	['n8n-workflow', 'zod'].forEach((name) => jest.requireActual(name));
	const Real = RegExp;
	globalThis.RegExp = new Proxy(Real, {
		construct(_, given: [string, string?]) {
			const regex = new Real(...given);
			const caller = new Error().stack!.split('\n')[2]!;
			if (caller.includes(NODE)) made.push(regex);
			return regex;
		},
	});
	const load = (file: string) =>
		jest.requireActual<Record<string, (...given: unknown[]) => unknown>>(
			join(process.cwd(), NODE, file),
		);
	try {
		['protocol/mayBeThere.ts', 'protocol/notFound.ts', 'rows/read/template.ts'].forEach(load);
		load('waiting/address.ts').awaitedIn!('https://example.com/');
		const how = { algorithm: 'sha256', encoding: 'hex' };
		load('protocol/callback.ts').isSignedBy!(Buffer.from('{}'), 'sha256=00', 'key', how);
	} finally {
		globalThis.RegExp = Real;
	}
	return made;
}

const SAMPLES = [...'a0A-_.:;=&?#/\\"\'`([{<>)]}+*%$,!~ \n\t\u00e9\u0301'];
const LENGTH = 32_000;

/** A text that fits the pattern up to its end, with one of its repetitions written very often. */
function pumped(pattern: AST.RegExpLiteral, repeated: AST.Quantifier, flags: string): string {
	const holds = ({ start, end }: AST.Node) => start <= repeated.start && repeated.end <= end;
	const write = (node: AST.Node): string => {
		switch (node.type) {
			case 'RegExpLiteral':
				return write(node.pattern);
			case 'Pattern':
			case 'Group':
			case 'CapturingGroup':
				return write(node.alternatives.find(holds) ?? node.alternatives[0]!);
			case 'Alternative':
				return node.elements.map(write).join('');
			case 'Quantifier': {
				const once = write(node.element);
				const times = node === repeated ? LENGTH / Math.max(once.length, 1) : Math.max(node.min, 1);
				return once.repeat(times);
			}
			case 'Character':
				return String.fromCodePoint(node.value);
			case 'CharacterSet':
			case 'CharacterClass':
				return SAMPLES.find((each) => new RegExp(`^${node.raw}$`, flags).test(each)) ?? 'a';
			default:
				return '';
		}
	};
	return `${write(pattern)}\n\u0001`;
}

/** How long it takes at the most, in milliseconds of the processor: others may have their turn. */
function slowest(regex: RegExp): number {
	const pattern = new RegExpParser().parseLiteral(String(regex));
	const repetitions: AST.Quantifier[] = [];
	visitRegExpAST(pattern, { onQuantifierEnter: (node) => repetitions.push(node) });
	const times = repetitions.map((node) => {
		const text = pumped(pattern, node, regex.flags.replace(/[gy]/g, ''));
		const begin = process.cpuUsage();
		text.replace(regex, '');
		return process.cpuUsage(begin).user / 1000;
	});
	return Math.max(0, ...times);
}

/** Linear, it takes some milliseconds; quadratic, some seconds. */
const isSlow = (regex: RegExp) => analyse(regex).reports.length > 0 || slowest(regex) > 150;

it('no text makes a regular expression take more time than in proportion to its length', () => {
	const all = PUBLISHED.flatMap((file) => literalsIn(file).map((regex) => ({ file, regex })));
	expect(all.length).toBeGreaterThan(100);
	const slow = all.filter(({ regex }) => isSlow(regex));
	const named = slow.map(({ file, regex }) => `${file.slice(NODE.length + 1)} ${regex}`);
	expect([...new Set(named)].sort()).toEqual(Object.keys(BOUNDED).sort());
});

it('nor does one that is put together', () => {
	const places = PUBLISHED.flatMap((file) => sourceOf(file).match(/\bRegExp\(/g) ?? []);
	const made = constructed();
	expect(made).toHaveLength(places.length);
	expect(made.filter(isSlow)).toEqual([]);
});

it.each([/0+$/, /^payment[\s._:-]+(.+)$/i, /[.,;:!)\]}]+$/, /^(?:ab)*(?:ab)*$/])(
	'what does is found: %s',
	(regex) => {
		expect(isSlow(regex)).toBe(true);
	},
);
