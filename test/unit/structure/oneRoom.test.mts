import ts from 'typescript';

import { filesBelow, NODE, parse, sourceOf, within } from './sources.mts';

/** Whose a record, an entry or a row is, is decided here. */
const ROOM = `${NODE}/payment/`;

/** What is read there is the user's own input: which country uses a currency is not whose it is. */
const OTHER_QUESTIONS = [`${NODE}/fields/`, `${NODE}/countries/`];

/** What names a payment, as one word of a name or as all of it. */
const TELLING =
	/^(?:own_?|order_?|stated_?|asked_?|sent_?)?(?:reference|ref|amount|currency|marks?|callback_?url|third_party_reference_\d)$/i;

/** What compares payments in that room; whoever takes one of these compares them elsewhere. */
const COMPARERS = [
	...['sameValue', 'sameReference', 'sameAddress', 'foldedReference'],
	...['readMark', 'marksIn', 'isMarkedWith'],
];

/** Who has to read marks, or to compare, and why: `file: what`. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
	[`${NODE}/trigger/endpoint/receive.ts: imports marksIn`]:
		'keeps the mark of the URL that was called',
	[`${NODE}/trigger/endpoint/receive.ts: imports readMark`]:
		'reads it where the credential is at hand',
	[`${NODE}/waiting/address.ts: imports marksIn`]:
		'the mark is part of a name within the execution',
	[`${NODE}/waiting/awaited.ts: imports marksIn`]: 'finds the row that a repeat is the same as',
	[`${NODE}/waiting/waitForLinks.ts: imports readMark`]:
		'asks whether the links are of this account',
};

const EQUALS = [
	ts.SyntaxKind.EqualsEqualsEqualsToken,
	ts.SyntaxKind.ExclamationEqualsEqualsToken,
	ts.SyntaxKind.EqualsEqualsToken,
	ts.SyntaxKind.ExclamationEqualsToken,
];
const METHODS = ['includes', 'startsWith', 'endsWith', 'indexOf', 'localeCompare'];

/** Without what does not change which value is meant. */
function bare(node: ts.Expression): ts.Expression {
	if (
		ts.isParenthesizedExpression(node) ||
		ts.isNonNullExpression(node) ||
		ts.isAsExpression(node) ||
		ts.isAwaitExpression(node)
	)
		return bare(node.expression);
	return node;
}

const nameOf = (node: ts.Expression): string | null => {
	const inner = bare(node);
	if (ts.isIdentifier(inner)) return inner.text;
	if (ts.isPropertyAccessExpression(inner)) return inner.name.text;
	if (ts.isElementAccessExpression(inner) && ts.isStringLiteralLike(inner.argumentExpression))
		return inner.argumentExpression.text;
	return null;
};

const isTelling = (node: ts.Expression): boolean => TELLING.test(nameOf(node) ?? '');

/** Compared with one of these, nothing is said about another payment. */
const saysNothing = (node: ts.Expression): boolean => {
	const inner = bare(node);
	return (
		ts.isLiteralExpression(inner) ||
		ts.isTypeOfExpression(inner) ||
		ts.isPrefixUnaryExpression(inner) ||
		[ts.SyntaxKind.NullKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(
			inner.kind,
		) ||
		(ts.isIdentifier(inner) && inner.text === 'undefined')
	);
};

const isComparison = (one: ts.Expression, other: ts.Expression): boolean =>
	(isTelling(one) && !saysNothing(other)) || (isTelling(other) && !saysNothing(one));

/** Every place of a file that compares what names a payment, as it is written there. */
function comparisonsIn(file: string, text: string): string[] {
	const found = within(parse(file, text)).filter((node) => {
		if (ts.isBinaryExpression(node))
			return EQUALS.includes(node.operatorToken.kind) && isComparison(node.left, node.right);
		if (ts.isImportSpecifier(node))
			return COMPARERS.includes((node.propertyName ?? node.name).text);
		if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
		const { expression, name } = node.expression;
		const [first] = node.arguments;
		return first && METHODS.includes(name.text) && isComparison(expression, first);
	});
	return found.map((node) => {
		const imported = ts.isImportSpecifier(node) ? (node.propertyName ?? node.name).text : null;
		const what = imported === null ? node.getText().replace(/\s+/g, ' ') : `imports ${imported}`;
		return `${file}: ${what}`;
	});
}

const OUTSIDE = filesBelow(NODE, /\.ts$/).filter(
	(file) => ![ROOM, ...OTHER_QUESTIONS].some((folder) => file.startsWith(folder)),
);

it('whose a payment is, is decided in one room', () => {
	const found = OUTSIDE.flatMap((file) => comparisonsIn(file, sourceOf(file)));
	expect([...new Set(found)].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});

it.each([
	['record.ref === payment.reference', 1],
	["row['third_party_reference_1'] === (order as string)", 1],
	['urls.includes(callbackUrl)', 1],
	["import { readMark as read } from '../payment/mark'", 1],
	['undefined !== payment.reference', 0],
	["currency === 'KES'", 0],
	['preference === other', 0],
])('%s compares payments: %d', (text, count) => {
	expect(comparisonsIn('a.ts', text)).toHaveLength(count);
});
