import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { RowOperation } from '../operation';
import { NotAttemptedError } from '../../transport/errors';
import type { RowReader } from '../read/readRows';
import { withoutResults } from '../../payment/results';
import { failed, findingItem, withoutUnknowns, type FailedRow, type RowResult } from '../row';
import { toRowError, type RowErrorContext } from './rowError';
import {
	duplicateHints,
	noLinkHints,
	refusalHints,
	sentLines,
	summaryHint,
	summaryText,
} from './summary';

interface OutputSettings {
	errors: RowErrorContext;
	elapsedMs: number;
	/** Whether the row's own fields come out with its result. */
	withInput: boolean;
}

/** The items of all rows, each paired with its input; throws when a row ends the run. */
export function toOutput(
	context: IExecuteFunctions,
	operation: RowOperation,
	results: readonly RowResult[],
	reader: RowReader,
	{ errors, withInput, elapsedMs }: OutputSettings,
): INodeExecutionData[] {
	const creates = operation.kind === 'create';
	const { names } = errors;
	const isBatch = creates && results.length > 1;
	if (isBatch) context.addExecutionHints(summaryHint(operation.name, results, elapsedMs));
	if (creates) {
		context.addExecutionHints(
			...notes(reader),
			...duplicateHints(results, names),
			...noLinkHints(results, names),
			...refusalHints(results, errors),
		);
	}

	const cause = context.continueOnFail() ? null : causeOf(results);
	if (cause !== null) {
		const { error } = toRowError(cause.error, cause.row, errors);
		if (isBatch) {
			error.description = `${error.description} ${summaryText(results, names)}`;
			// Shown below the error: what was made must not be lost from view with the output.
			for (const line of sentLines(results, errors)) error.messages.push(line);
		}
		throw error;
	}
	const input = context.getInputData();
	// A failed row that goes to the error output gets its own fields from n8n.
	const { onError } = context.getNode();
	return results.flatMap((result, row) => {
		const pairedItem = { item: row };
		const isAdded = withInput && !(failed(result) && onError === 'continueErrorOutput');
		const own = isAdded ? withoutResults(input[row]?.json ?? {}) : {};
		const items = failed(result)
			? [failedItem(result, row, operation, errors, context)]
			: result.items;
		const shown = result.dryRun ? items.map((json) => withoutUnknowns(json, own)) : items;
		return shown.map((json) => {
			// What everybody looks for comes first, before the columns of the sheet.
			const first = 'link' in json ? { link: json.link } : {};
			return { json: { ...first, ...own, ...json } as IDataObject, pairedItem };
		});
	});
}

/** A sheet that could not be opened has told every row so already. */
export function notes(reader: RowReader): NodeExecutionHint[] {
	try {
		return reader.hints();
	} catch {
		return [];
	}
}

/** The row that is to blame: one that was only left alone because of another is not. */
function causeOf(results: readonly RowResult[]): { row: number; error: unknown } | null {
	const bad = results.flatMap((result, row) =>
		failed(result) && !result.dryRun ? [{ row, error: result.error }] : [],
	);
	return bad.find(({ error }) => !(error instanceof NotAttemptedError)) ?? bad[0] ?? null;
}

function failedItem(
	result: FailedRow,
	row: number,
	operation: RowOperation,
	errors: RowErrorContext,
	context: IExecuteFunctions,
): Record<string, unknown> {
	const { error, details } = toRowError(result.error, row, errors);
	if (operation.kind === 'create' && !context.continueOnFail()) {
		return findingItem(operation, error.message, details);
	}
	// With this key alone, every release of n8n sends the item to the error output, together
	// with the row's own fields. Releases before 2.35.7 take any further key for a success.
	return { error: { message: error.message, ...details } };
}
