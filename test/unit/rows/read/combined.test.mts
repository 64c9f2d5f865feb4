import type { IExecuteFunctions } from 'n8n-workflow';

import { createCombined } from '../../../../nodes/UnifiedPayments/rows/read/combined.ts';
import { parseTemplate } from '../../../../nodes/UnifiedPayments/rows/read/template.ts';

type Evaluate = (code: string, $json: object) => unknown;

const evaluated: Evaluate = (code, $json) =>
	(new Function('$json', `return (${code})`) as (row: object) => unknown)($json);

/** What each template gives for each row, `none` where it is left to the host; and what was asked. */
function read(saved: string[], rows: object[], evaluate = evaluated) {
	const asked: string[] = [];
	const context = {
		evaluateExpression(expression: string, row: number) {
			asked.push(expression);
			return evaluate(/^\{\{([^]*)\}\}$/.exec(expression)![1]!, rows[row]!);
		},
	} as unknown as IExecuteFunctions;
	const templates = saved.map((each) => parseTemplate(each)!);
	const combined = createCombined(context, templates);
	const given = rows.map((_, row) => {
		const values = combined(row);
		return templates.map((each) => (values.has(each) ? values.get(each) : 'none'));
	});
	return { given, asked };
}

it('between texts, what is empty is nothing; zero and false are themselves', () => {
	const saved = ['=<{{ $json.value }}|{{ $json.other }}>', '={{ $json.value }}'];
	const values = [7, 'x', 0, false, '', null, undefined, NaN];
	const rows = values.map((value) => ({ value, other: 'o' }));
	const texts = read(saved, rows).given.map(([text]) => text);
	const empty = Array<string>(4).fill('<|o>');
	expect(texts).toEqual(['<7|o>', '<x|o>', '<0|o>', '<false|o>', ...empty]);
});

it('what is no plain value, or throws, is left to the host, and only that', () => {
	const saved = ['={{ $json.a }}', '={{ $json.b.c }}', '={{ $json.a }} and {{ $json.b.c }}'];
	const rows = [{ a: [1], b: { c: 2 } }, { a: 1 }, { a: new Date(0), b: { c: 'x' } }];
	expect(read(saved, rows).given).toEqual([
		['none', 2, 'none'],
		[1, 'none', 'none'],
		['none', 'x', 'none'],
	]);
});

it('what the host rewrites is asked for by itself', () => {
	const codes = ['a', 'b.toTitleCase()', 'c', 'd.toTitleCase()'];
	const saved = codes.map((code) => `={{ $json.${code} }}`);
	const named = (text: string) => ({ toTitleCase: () => text });
	const { given, asked } = read(saved, [{ a: 1, b: named('B'), c: 3, d: named('D') }]);
	expect(given).toEqual([[1, 'B', 3, 'D']]);
	expect(asked.map((each) => each.includes('toTitleCase'))).toEqual([false, true]);
});

const throws: Evaluate = () => {
	throw new Error('not understood');
};

it.each<[string, Evaluate]>([
	['throws', throws],
	['gives anything else', () => 'a text'],
])('where the host %s, it is not asked again', (_, evaluate) => {
	const saved = ['={{ $json.a }}', '={{ $json.b }}'];
	const { given, asked } = read(saved, [{ a: 1 }, { a: 2 }], evaluate);
	expect(given.flat()).toEqual(Array(4).fill('none'));
	expect(asked).toHaveLength(1);
});
