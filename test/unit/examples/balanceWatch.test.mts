import { readFileSync } from 'node:fs';

import type { NewWorkflow } from '../../../host/n8n/client.mts';

type Row = Record<string, unknown>;

const { nodes } = JSON.parse(readFileSync('examples/balance-watch.json', 'utf8')) as NewWorkflow;
const code = String(nodes.find(({ name }) => name === 'Not reported yet')!.parameters.jsCode);

/** Runs the code with one wallet that is low, by the balance that the service gave. */
function watch(balance: Row): Row[] {
	const items = (rows: Row[]) => ({ all: () => rows.map((json) => ({ json })) });
	const body = new Function('$', '$input', '$getWorkflowStaticData', code) as (
		$: (name: string) => unknown,
		$input: unknown,
		memory: () => Row,
	) => Array<{ json: Row }>;
	const low = { wallet: 1, low: true };
	return body(
		() => items([balance]),
		items([low]),
		() => ({}),
	).map(({ json }) => json);
}

describe('Balance watch', () => {
	it.each([{ balance: 5 }, { balance: 0 }, { balance: '5.00' }, { balance: '-3' }])(
		'reads %j',
		(given) => {
			expect(watch({ currency: 'KES', ...given })).toEqual([{ wallet: 1, low: true }]);
		},
	);

	it.each<[Row]>([
		[{ currency: 'KES' }],
		[{ currency: 'KES', balance: null }],
		[{ currency: 'KES', balance: '' }],
		[{ currency: 'KES', balance: 'five' }],
		[{ currency: 'KES', available: 5 }],
		[{ balance: 5 }],
	])('fails, and does not stay silent, at %j', (given) => {
		expect(() => watch(given)).toThrow(`This balance cannot be read: ${JSON.stringify(given)}`);
	});
});
