import { ADVICE } from '../../protocol/advice';
import { NodeOperationError, type INode } from 'n8n-workflow';

import { isBlank } from '../../fields/field';
import { InputError, showGiven } from '../../fields/inputError';
import { ExplainedError, outcomeIn, type Outcome } from '../../protocol/explainedError';
import {
	CallError,
	toNodeError,
	type NodeError,
	type NodeErrorDetails,
} from '../../transport/errors';
import type { Explanation } from '../../transport/explain';
import type { Redactor } from '../../transport/redact';
import { capital, type RowNames } from '../rowNames';

/** What it takes to explain what went wrong with a row. */
export interface RowErrorContext {
	node: INode;
	redactor: Redactor;
	/** The words a user sees for a parameter name. */
	label: (field: string) => string;
	names: RowNames;
	/** What it means for a row when nothing more is known: a create that was not reached. */
	unreached: Outcome | null;
	/** Said behind an advice, where nothing was sent for a row because nothing is ever sent for it. */
	meanwhile?: string;
}

/** One field of a row, and what to do about it. */
interface FieldExplanation {
	field: string;
	/** What the editor, or the sheet, calls it. */
	label: string;
	message: string;
	/** The same beside the row and the label: "x", which is not … */
	short: string;
	advice: string;
}

/** What the error output carries in addition to the row's own fields. */
interface RowErrorDetails extends NodeErrorDetails {
	/** As the sheet counts it; null where it does not say. */
	row: number | null;
	outcome: Outcome | null;
	fields: string[];
	/** Everything that is wrong with the row's input. */
	issues: Array<Omit<FieldExplanation, 'short'>>;
	request: unknown;
}

export function toRowError(
	error: unknown,
	itemIndex: number,
	context: RowErrorContext,
): NodeError<RowErrorDetails> {
	const { node, redactor } = context;
	const { issues, ...explanation } = explainRow(error, itemIndex, context);
	const { error: shown, details } = toNodeError(error, explanation, itemIndex, node, redactor);
	return {
		error: shown,
		details: {
			...details,
			row: context.names.number(itemIndex),
			outcome: outcomeIn(error) ?? context.unreached,
			fields: issues.map(({ field }) => field),
			issues: issues.map(({ field, label, message, advice }) => ({
				field,
				label,
				message,
				advice,
			})),
			request: error instanceof CallError ? redactor.deep(error.request) : null,
		},
	};
}

/** What went wrong with a row in words, with every secret taken out. */
export function explainRow(
	error: unknown,
	row: number,
	{ names, label, redactor, meanwhile }: RowErrorContext,
): Explanation & { short: string; issues: FieldExplanation[] } {
	const name = names.besideCount(row);
	const issues = error instanceof InputError ? explainIssues(error, name, label) : [];
	const { message, description, short = message } = explain(error, name, issues, meanwhile);
	return {
		message: redactor.text(message),
		short: redactor.text(short),
		description: redactor.text(description),
		issues: issues.map((issue) => ({
			...issue,
			message: redactor.text(issue.message),
			short: redactor.text(issue.short),
		})),
	};
}

/** n8n's count of the items follows. */
const THIS = 'this item';

function explain(
	error: unknown,
	row: string | null,
	issues: readonly FieldExplanation[],
	meanwhile = 'Nothing was sent for this row.',
): Explanation & { short?: string } {
	const [first, ...others] = issues;
	if (first !== undefined) return explainInput(first, others, meanwhile);
	if (error instanceof ExplainedError) {
		const { message, description } = error;
		const which = error instanceof CallError && row !== null ? ` This is ${row}.` : '';
		return { message, description: description + which };
	}
	// n8n's own words, e.g. about an expression or a missing credential or file.
	const said = error instanceof Error ? error.message : String(error);
	const reason = said.replace(/ \[item \d{1,9}\]$/i, '');
	const more = error instanceof NodeOperationError ? error.description : null;
	return {
		message: `${capital(row ?? THIS)} could not be read: ${reason}`,
		short: `Could not be read: ${reason}`,
		description: more ?? `${ADVICE.parameters} ${meanwhile}`,
	};
}

const explainIssues = (
	{ issues }: InputError,
	row: string | null,
	label: (field: string) => string,
): FieldExplanation[] =>
	issues.map(({ field, given, reason, allowed }) => ({
		field,
		label: label(field),
		message: isBlank(given)
			? `'${label(field)}' is missing in ${row ?? THIS}`
			: `'${label(field)}' in ${row ?? THIS} is ${showGiven(given)}, ${reason}`,
		short: isBlank(given) ? 'Missing' : `${showGiven(given)}, ${reason}`,
		advice: allowed,
	}));

function explainInput(
	first: FieldExplanation,
	others: readonly FieldExplanation[],
	meanwhile: string,
): Explanation {
	const also = others.map(({ message, advice }) => ` Also: ${message}. ${advice}`).join('');
	return {
		message: first.message,
		description: `${first.advice}${also} ${meanwhile}`,
	};
}
