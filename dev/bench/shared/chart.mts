/** One bar of a chart. */
export interface Bar {
	label: string;
	value: number;
	/** What is written behind it. */
	text: string;
	/** From the smallest to the largest measured value, if there is more than one. */
	range?: [number, number];
	/** This package: drawn in its colour. */
	isOurs: boolean;
}

export interface Chart {
	title: string;
	/** How it was measured, in one line. */
	subtitle: string;
	bars: readonly Bar[];
}

const WIDTH = 880;
const LABELS = 330;
const FIGURES = 150;
const TOP = 74;
const ROW = 34;
const BAR = 18;
const BOTTOM = 18;

/** Follows the theme of the page that shows it. */
const STYLE = `
	text { font: 14px -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; fill: #1f2933; }
	.title { font-size: 18px; font-weight: 600; }
	.soft { fill: #5f6b65; font-size: 13px; }
	.ours { font-weight: 600; }
	.bar { fill: #b4bcb8; }
	.bar.ours { fill: #0c6b50; }
	.range { stroke: #1f2933; stroke-width: 1.5; }
	.page { fill: #ffffff; }
	@media (prefers-color-scheme: dark) {
		text { fill: #e9efeb; }
		.soft { fill: #94a29b; }
		.bar { fill: #55625c; }
		.bar.ours { fill: #35b58d; }
		.range { stroke: #e9efeb; }
		.page { fill: #0d1117; }
	}`;

/** A bar chart as SVG, in which twice the length is twice the value. */
export function barChart({ title, subtitle, bars }: Chart): string {
	const longest = Math.max(...bars.map(({ value, range }) => Math.max(value, range?.[1] ?? 0)));
	const room = WIDTH - LABELS - FIGURES;
	const lengthOf = (value: number) => round((value / longest) * room);
	const height = TOP + bars.length * ROW + BOTTOM;
	const rows = bars.flatMap(({ label, value, text, range, isOurs }, index) => {
		const top = TOP + index * ROW;
		const middle = top + BAR / 2;
		const ours = isOurs ? ' ours' : '';
		const end = LABELS + Math.max(lengthOf(value), range ? lengthOf(range[1]) : 0);
		return [
			`<text class="label${ours}" x="${LABELS - 12}" y="${middle + 5}" text-anchor="end">${escape(label)}</text>`,
			`<rect class="bar${ours}" x="${LABELS}" y="${top}" width="${lengthOf(value)}" height="${BAR}" rx="3"/>`,
			...(range
				? [
						`<line class="range" x1="${LABELS + lengthOf(range[0])}" x2="${LABELS + lengthOf(range[1])}" y1="${middle}" y2="${middle}"/>`,
					]
				: []),
			`<text class="figure${ours}" x="${end + 10}" y="${middle + 5}">${escape(text)}</text>`,
		];
	});
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}">`,
		`<style>${STYLE}\n</style>`,
		`<rect class="page" width="${WIDTH}" height="${height}" rx="8"/>`,
		`<text class="title" x="20" y="32">${escape(title)}</text>`,
		`<text class="soft" x="20" y="53">${escape(subtitle)}</text>`,
		...rows,
		'</svg>',
	].join('\n')}\n`;
}

const round = (value: number) => Math.round(value * 10) / 10;

const escape = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
