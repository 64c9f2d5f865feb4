import { barChart } from '../../../bench/shared/chart.mts';
import { read } from './markdown.mts';

const text = read('docs/running-n8n.md');

describe('a chart', () => {
	const chart = barChart({
		title: 'A < B',
		subtitle: 'how',
		bars: [
			{ label: 'ours', value: 50, text: '50', isOurs: true },
			{ label: 'theirs', value: 100, text: '100', range: [80, 200], isOurs: false },
		],
	});

	it('has bars as long as their values', () => {
		const widths = [...chart.matchAll(/class="bar[^"]*" .*?width="([\d.]+)"/g)];
		const [ours, theirs] = widths.map(([, width]) => Number(width));
		expect(theirs! / ours!).toBeCloseTo(2, 2);
		const [, from, to] = /class="range" x1="([\d.]+)" x2="([\d.]+)"/.exec(chart)!;
		expect((Number(to) - Number(from)) / ours!).toBeCloseTo(120 / 50, 2);
	});

	it('writes what it is told as text', () => {
		expect(chart).toContain('A &#60; B');
		expect(chart).toContain('aria-label="A &#60; B"');
	});
});

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
