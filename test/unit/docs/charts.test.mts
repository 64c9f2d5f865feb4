import { read } from './markdown.mts';

const text = read('docs/running-n8n.md');

describe.each(['bench-bulk', 'bench-trigger'])('the chart %s', (name) => {
	const chart = read(`docs/images/${name}.svg`);

	it('is shown', () => {
		expect(text).toContain(`images/${name}.svg`);
	});

	it('has the figures of the tables', () => {
		const figures = [...chart.matchAll(/class="figure[^"]*"[^>]*>([^<]+)</g)].map(
			([, one]) => one!,
		);
		expect(figures.length).toBeGreaterThan(3);
		const told = new Set([...text.matchAll(/\d[\d.]*/g)].map(([number]) => Number(number)));
		const missing = figures.filter((figure) => !told.has(Number(figure.replace(/ ms$/, ''))));
		expect(missing).toEqual([]);
	});
});
