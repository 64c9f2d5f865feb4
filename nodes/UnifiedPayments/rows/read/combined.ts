import type { IExecuteFunctions } from 'n8n-workflow';

import type { Template } from './template';

/** What the templates of a row give. One that is missing has to be read by n8n itself. */
export type Values = Map<Template, unknown>;

/**
 * Nearly all of what an expression costs n8n is preparing it, so one expression gives the
 * values of many templates.
 */
export function createCombined(
	context: IExecuteFunctions,
	templates: readonly Template[],
): (row: number) => Values {
	// n8n rewrites an expression as a whole or not at all, so the two kinds are kept apart.
	const parts = [false, true]
		.map((extended) => templates.filter((template) => template.extended === extended))
		.filter((part) => part.length > 1)
		.map((part) => createPart(context, part));
	return (row) => {
		const values: Values = new Map();
		for (const read of parts) read(row, values);
		return values;
	};
}

/** The value of one piece of code, or nothing where it threw or gave anything but a plain value. */
type Result = [] | [unknown];

function createPart(context: IExecuteFunctions, templates: readonly Template[]) {
	const expression = combine(templates.flatMap(({ codes }) => codes));
	let works = true;

	const evaluate = (row: number): Result[] => {
		try {
			const results: unknown = works && context.evaluateExpression(expression, row);
			if (Array.isArray(results)) return results as Result[];
		} catch {
			// Read one by one, n8n names the field that it does not understand.
		}
		works = false;
		return [];
	};

	return (row: number, values: Values): void => {
		const results = evaluate(row).values();
		for (const template of templates) {
			const own = template.codes.flatMap(() => results.next().value ?? []);
			if (own.length === template.codes.length) values.set(template, fill(template, own));
		}
	};
}

/**
 * Each piece of code is a function of its own, so that one that throws does not spoil the others.
 * Objects, dates and functions are left to n8n, which treats them in many ways. The quoted
 * words come first because n8n cuts the first quoted text out when it looks for its methods.
 */
function combine(codes: readonly string[]): string {
	const plain = "['string', 'number', 'boolean', 'undefined']";
	const read =
		'(read) => { try { const value = read(); return value === null || plain.includes(typeof value) ? [value] : [] } catch { return [] } }';
	const reads = codes.map((code) => `() => (${code}\n)`);
	return `{{ ((plain, reads) => reads.map(${read}))(${plain}, [${reads.join(', ')}]) }}`;
}

/** Between texts, n8n shows what is empty as nothing. */
function fill({ pieces, whole }: Template, values: unknown[]): unknown {
	if (whole) return values[0];
	const next = values.values();
	return pieces
		.map((piece) => {
			if ('text' in piece) return piece.text;
			const { value } = next.next();
			return value || value === 0 || value === false ? value : '';
		})
		.join('');
}
