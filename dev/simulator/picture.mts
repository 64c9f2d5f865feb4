import type { Report } from './world/report.mts';

const LANES = [
	{ what: 'taken', label: 'Taken by the service', colour: '#3b82c4' },
	{ what: 'paid', label: 'Paid by customers', colour: '#2f9e6e' },
	{ what: 'fault', label: 'Faults', colour: '#d9822b' },
	{ what: 'kill', label: 'Kills of n8n', colour: '#c4314b' },
] as const;

const DAY = 24 * 60 * 60 * 1000;
const WIDTH = 900;
const LEFT = 160;
const LANE = 44;
/** Six hours to a bar. */
const BAR = DAY / 4;

/** What happened over time: a bar for each six hours, in a lane for each kind. */
export function pictureOf(marks: Report['marks']): string {
	const last = Math.max(DAY, ...marks.map(({ at }) => at));
	const bars = Math.ceil(last / BAR);
	const step = (WIDTH - LEFT - 20) / bars;
	const lanes = LANES.map(({ what, label, colour }, lane) => {
		const counts = Array.from({ length: bars }, () => 0);
		for (const mark of marks) {
			const at = Math.min(bars - 1, Math.floor(mark.at / BAR));
			if (mark.what === what) counts[at] = (counts[at] ?? 0) + 1;
		}
		const most = Math.max(1, ...counts);
		const bottom = 30 + (lane + 1) * LANE;
		const total = counts.reduce((sum, count) => sum + count, 0);
		const drawn = counts.map((count, at) => {
			const height = (count / most) * (LANE - 12);
			const x = (LEFT + at * step).toFixed(1);
			return count === 0
				? ''
				: `<rect x="${x}" y="${(bottom - height).toFixed(1)}" width="${Math.max(1, step - 1).toFixed(1)}" height="${height.toFixed(1)}" fill="${colour}"/>`;
		});
		const text = `<text x="${LEFT - 12}" y="${bottom - 4}" text-anchor="end">${label}: ${total}</text>`;
		return `${text}<line x1="${LEFT}" x2="${WIDTH - 20}" y1="${bottom}" y2="${bottom}" stroke="#c8ccd4"/>${drawn.join('')}`;
	});
	const height = 30 + LANES.length * LANE + 34;
	const days = Array.from({ length: Math.ceil(last / DAY) }, (_, day) => day)
		.filter((day) => day % 7 === 0)
		.map(
			(day) =>
				`<text x="${(LEFT + day * 4 * step).toFixed(1)}" y="${height - 14}">Day ${day + 1}</text>`,
		);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="#5b6270" role="img" aria-label="Payments, faults and kills of a simulated month"><rect width="100%" height="100%" fill="#ffffff"/>${lanes.join('')}${days.join('')}</svg>\n`;
}
