import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const files = (readdirSync(resolve('sandbox'), { recursive: true }) as string[]).filter((file) =>
	file.endsWith('.mts'),
);

it('shares nothing with the nodes but the country data, so that both sides cannot share one bug', () => {
	const foreign = files.flatMap((file) => {
		const source = readFileSync(join('sandbox', file), 'utf8');
		return [...source.matchAll(/from '([^']*)'/g)]
			.map(([, target]) => target ?? '')
			.filter((target) => /nodes|credentials|host|test/.test(target));
	});
	expect(files.length).toBeGreaterThan(20);
	expect(new Set(foreign.map((target) => target.replace(/^(\.\.\/)+/, '')))).toEqual(
		new Set(['nodes/UnifiedPayments/countries/data.ts']),
	);
});
