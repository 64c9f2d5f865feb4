// `npm run simulate -- --seed 7` tells one story; `--seeds 100` plays that many and tells what breaks.
import { buildNodes } from './engine/build.mts';
import { realNow } from './engine/clock.mts';
import { drawPlan } from './plan/draw.mts';
import { playPlan } from './world/world.mts';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		seeds: { type: 'string', default: '1' },
	},
});
const built = buildNodes();
const first = Number(values.seed);
const began = realNow();
for (let seed = first; seed < first + Number(values.seeds); seed++) {
	const report = await playPlan(drawPlan(seed), built);
	if (values.seeds === '1') console.log(report.story.join('\n'));
	console.log(seed, JSON.stringify(report.counts), report.broken.length ? JSON.stringify(report.broken[0]) : '');
}
console.log(`${realNow() - began} ms`);
process.exit(0);
