import { ExpressionExtensions } from 'n8n-workflow';

/** A saved value such as `=Order {{ $json.no }}`, taken apart as n8n takes it apart. */
export interface Template {
	pieces: Piece[];
	/** The pieces that are code. */
	codes: string[];
	/** One piece of code and nothing else: n8n keeps the type of its value. */
	whole: boolean;
	/** Whether n8n rewrites the code first, because it calls a method that n8n adds. */
	extended: boolean;
}

type Piece = { text: string } | { code: string };

/** Takes a template apart, or gives nothing where n8n's way with it is not certain. */
export function parseTemplate(saved: string): Template | undefined {
	const pieces = piecesOf(saved.slice(1));
	// n8n refuses this word, also in texts.
	if (pieces === undefined || /\.\s*constructor/.test(saved)) return undefined;
	const codes = pieces.flatMap((piece) => ('code' in piece ? [piece.code] : []));
	if (codes.length === 0 || !codes.every(isOneExpression)) return undefined;
	const extended = codes.some((code) => CALLS_EXTENSION.test(code));
	// n8n looks for its methods with the first quoted text cut out.
	const seenByHost = codes.some((code) =>
		CALLS_EXTENSION.test(code.replace(/("|').*?("|')/, '').trim()),
	);
	if (extended !== seenByHost) return undefined;
	return { pieces, codes, whole: pieces.length === 1, extended };
}

const METHODS = ExpressionExtensions.flatMap(({ functions }) => Object.keys(functions));
const CALLS_EXTENSION = new RegExp(`(?:\\$if|\\.(?:${METHODS.join('|')})(?:\\s*\\?\\.)?)\\s*\\(`);

function piecesOf(template: string): Piece[] | undefined {
	const pieces: Piece[] = [];
	for (let at = 0; at < template.length;) {
		const open = template.indexOf('{{', at);
		const text = template.slice(at, open === -1 ? undefined : open);
		// n8n has rules of its own for backslashes outside of code.
		if (text.includes('\\')) return undefined;
		if (text !== '') pieces.push({ text });
		if (open === -1) return pieces;
		const close = template.indexOf('}}', open);
		if (close === -1) return undefined;
		pieces.push({ code: template.slice(open + 2, close) });
		at = close + 2;
	}
	return pieces;
}

const CHANGING_CALL =
	/\.\s*(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|assign|freeze|seal|preventExtensions|set(?!Zone|Locale)\w*|compile|call|apply|bind)\s*(?:\?\.\s*)?[(`]/;
/** The name of what is called is not in the text, so it may be any of those. */
const COMPUTED_CALL = /[\])]\s*(?:\?\.\s*)?[(`]/;
const ASSIGNMENT = /\+\+|--|<<=|>>=|(?<![=!<>])=(?![=>])|\bdelete\b/;

/** Whether evaluating it may leave something behind that another expression sees. */
export function mayChange(saved: string): boolean {
	const template = saved.slice(1);
	return [CHANGING_CALL, COMPUTED_CALL, ASSIGNMENT].some((sign) => sign.test(template));
}

const QUOTED = String.raw`'(?:[^'\\\n\r]|\\[^])*'|"(?:[^"\\\n\r]|\\[^])*"`;
/** What is inserted must be simple: no braces, assignments or regexes. */
const INSERTED = String.raw`\$\{(?:[\w\s$.,?:()[\]|&!<>*%]|\+(?!\+)|-(?!-)|'[^'\\\n\r]*'|"[^"\\\n\r]*")*\}`;
const TEMPLATE_LITERAL = `\`(?:[^\`\\\\$]|\\\\[^]|\\$(?!\\{)|${INSERTED})*\``;
/** All but those that assign. */
const OPERATOR = String.raw`=>|[=!]==?(?!=)|[<>]=?(?![<>=])|\+(?![+=])|-(?![-=])|[*%&|^?~:,.!](?!=)`;

/** Neither semicolons nor comments are among them. */
const TOKEN = new RegExp(
	[
		String.raw`(?<space>\s+)`,
		String.raw`(?<word>[\p{ID_Start}$_][\p{ID_Continue}$]*)`,
		String.raw`(?<value>\.?\d[\w.]*|${QUOTED}|${TEMPLATE_LITERAL})`,
		String.raw`(?<bracket>[()[\]{}])`,
		OPERATOR,
	].join('|'),
	'uy',
);
const DIVISION = /\/(?![/*=])/uy;
const REGEX = /\/(?!\*)(?:[^/\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[a-z]*/uy;

const CLOSED_BY: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
/** They begin a statement, or mean something else inside a function. */
const NOT_IN_EXPRESSION = new Set([
	...['arguments', 'async', 'await', 'class', 'const', 'debugger', 'delete', 'do', 'else', 'for'],
	...['function', 'global', 'if', 'import', 'let', 'super', 'switch', 'this', 'throw', 'try'],
	...['var', 'while', 'window', 'with', 'yield'],
]);
const BEFORE_VALUE = new Set(['in', 'instanceof', 'new', 'return', 'typeof', 'void']);

/**
 * Whether the code, put in brackets, is certain to stay one expression that changes nothing. It
 * need not be valid: n8n says so then.
 */
function isOneExpression(code: string): boolean {
	if (CHANGING_CALL.test(code) || COMPUTED_CALL.test(code)) return false;
	const brackets: string[] = [];
	let last = '';
	let isValue = false;
	for (let at = 0; at < code.length;) {
		// After a value a slash divides; elsewhere a regex begins. After a brace it may be either.
		if (code[at] === '/' && last === '}') return false;
		const pattern: RegExp = code[at] !== '/' ? TOKEN : isValue ? DIVISION : REGEX;
		pattern.lastIndex = at;
		const match = pattern.exec(code);
		if (match === null) return false;
		const [token] = match;
		const { space, word, value, bracket } = match.groups ?? {};
		at += token.length;
		if (space !== undefined) continue;
		if (bracket !== undefined) {
			const closing = CLOSED_BY[token];
			if (closing !== undefined) brackets.push(closing);
			else if (brackets.pop() !== token) return false;
			isValue = closing === undefined;
		} else if (word !== undefined) {
			if (last !== '.' && NOT_IN_EXPRESSION.has(word)) return false;
			isValue = last === '.' || !BEFORE_VALUE.has(word);
		} else {
			isValue = value !== undefined || pattern === REGEX;
		}
		last = token;
	}
	return last !== '' && brackets.length === 0;
}
