import { ExplainedError } from '../protocol/explainedError';
import { beginningOf, cut } from '../protocol/limits';

/** One field of one row that cannot be sent as it is. */
export interface FieldIssue {
	/** Parameter name. */
	field: string;
	/** What the user gave. */
	given: unknown;
	/** Completes "'Amount' is "abc", …". */
	reason: string;
	/** What to give instead. */
	allowed: string;
}

/** A row that was stopped before anything was sent. */
export class InputError extends ExplainedError {
	constructor(readonly issues: readonly [FieldIssue, ...FieldIssue[]]) {
		super(issues[0].reason, issues[0].allowed, 'not_sent', true);
	}
}

/** A sheet whose headings do not say clearly where the values of its rows are. */
export class SheetError extends ExplainedError {
	constructor(message: string, description: string) {
		super(message, description, 'not_sent', true);
	}
}

const SHOWN = 80;

/** The given value as an error may show it: short, on one line, never a whole file. */
export function showGiven(given: unknown): string {
	if (given === undefined || given === null || given === '') return 'empty';
	const text = typeof given === 'string' ? given : written(given);
	const line = onOneLine(text);
	const start = beginningOf(line, SHOWN);
	const short = line.length > SHOWN ? `${start}… (${line.length} characters)` : line;
	return typeof given === 'string' ? `"${short}"` : short;
}

/** What a terminal or a page would not show as it is, is made visible. */
export const onOneLine = (text: string): string =>
	text.replace(/[\p{Control}\p{Surrogate}\p{Format}]/gu, '�');

/** An expression can give what JSON cannot write, e.g. a function or a circle. */
function written(given: unknown): string {
	try {
		return JSON.stringify(given) ?? typeof given;
	} catch {
		return typeof given;
	}
}

/** As many names of columns as somebody would read, and as much of each. */
const MAX_QUOTED = 50;
const LONGEST_QUOTED = 80;

export function quoted(names: readonly string[]): string {
	const shown = names.slice(0, MAX_QUOTED).map((name) => `"${cut(name, LONGEST_QUOTED)}"`);
	const more = names.length - shown.length;
	return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
