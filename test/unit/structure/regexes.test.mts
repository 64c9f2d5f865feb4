import { join, relative } from 'node:path';

import { analyse } from 'scslre';
import ts from 'typescript';

// Loaded before the files that use it: what it makes is not ours.
import 'n8n-workflow';

import { NODE, parse, PUBLISHED, within } from './sources.mts';

interface Found {
	file: string;
	regex: RegExp;
}

const nameOf = ({ file, regex }: Found) => `${file} ${regex}`;

/** What is slow for a long text, and why it is never given one, or does not try again and again. */
const HARMLESS: Readonly<Record<string, string>> = {
	[`${NODE}/payment/money.ts /0+$/`]: 'two decimals',
	[`${NODE}/payment/money.ts /\\B(?=(?:\\d{3})+$)/g`]: 'the digits of an amount',
	[`${NODE}/payment/compare.ts /0+$/`]: 'twenty digits, checked in the line above',
	[`${NODE}/payment/fingerprint.ts /(\\d+)([A-Z]{3})(\\d+)/`]: 'a part of what was checked',
	[`${NODE}/fields/sheet.ts /[([{][^)\\]}]*([)\\]}]|$)/g`]: 'takes all from the first bracket on',
	[`${NODE}/payment/whose.ts /[?#].*$/s`]: 'takes all from the first sign on',
	[`${NODE}/trigger/endpoint/allowList.ts /%.*$/s`]: 'takes all from the first sign on',
	[`${NODE}/waiting/address.ts /[?#].*$/s`]: 'takes all from the first sign on',
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
	[`${NODE}/protocol/callback.ts`]: ({ isSignedBy }) => {
		const how = { algorithm: 'sha256', encoding: 'hex' };
		isSignedBy!(Buffer.from('{}'), 'sha256=00', 'key', how);
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

const made = constructed();

it('every regular expression that is put together is tried', () => {
	const places = [...new Set(made.map(({ place }) => place))];
	const seen = written.map(([file]) => [
		file,
		places.filter((at) => at.startsWith(`${file}:`)).length,
	]);
	expect(seen).toEqual(written);
});

const isSlow = (regex: RegExp) => analyse(regex).reports.length > 0;

it('every regular expression takes time in proportion to the length of the text', () => {
	const slow = [...literals, ...made].filter(({ regex }) => isSlow(regex)).map(nameOf);
	expect([...new Set(slow)].sort()).toEqual(Object.keys(HARMLESS).sort());
});

it.each([/[([{][^)\]}]*[)\]}]/g, /^payment[\s._:-]+(.+)$/i, /(?:\$if|\.first\s*(?:\?\.)?)\s*\(/])(
	'what does not is found: %s',
	(regex) => {
		expect(isSlow(regex)).toBe(true);
	},
);
