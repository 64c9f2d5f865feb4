// `npm run simulate -- --seed 7` tells one story; with `--seeds 100`, so many are played from there on, and those
// that break are told in their shortest form.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { buildNodes, type BuiltNodes } from './engine/build.mts';
import { realNow } from './engine/clock.mts';
import { drawPlan } from './plan/draw.mts';
import { patchFiles } from './plan/files.mts';
import type { Plan } from './plan/plan.mts';
import { shrink } from './plan/shrink.mts';
import { PATCHES } from './patches.mts';
import { pictureOf } from './picture.mts';
import type { Report } from './world/report.mts';
import { playPlan } from './world/world.mts';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		seeds: { type: 'string', default: '1' },
		/** A fault of `patches.mts` that is put back first. */
		patch: { type: 'string' },
		/** Puts each of these back by itself, and plays one seed: `name:seed,name:seed`. */
		faults: { type: 'string' },
		/** Ends with the first story that breaks, and does not make it shorter. */
		first: { type: 'boolean', default: false },
		/** Plays each once more, and compares the stories. */
		twice: { type: 'boolean', default: false },
		/** A month of about 1,000 payments instead of a few days. */
		month: { type: 'boolean', default: false },
		/** Draws the last world that was played. */
		draw: { type: 'boolean', default: false },
		/** Ends after so many seconds, whatever is left. */
		seconds: { type: 'string' },
	},
});

const PICTURE = resolve(import.meta.dirname, '../../docs/images/month.svg');

function patchesNamed(name: string | undefined) {
	if (name === undefined) return [];
	const patch = PATCHES[name];
	if (patch === undefined)
		throw new Error(`There is no patch ${name}: ${Object.keys(PATCHES).join(', ')}`);
	return patch;
}

/** The nodes and the files of `examples/`, with a fault put back into them. */
function buildWith(name: string | undefined): BuiltNodes {
	const patches = patchesNamed(name);
	patchFiles(patches);
	return buildNodes(patches);
}

async function tellShortest(plan: Plan, { broken }: Report, built: BuiltNodes): Promise<void> {
	const invariant = broken[0]?.invariant;
	const breaks = ({ broken: found }: Report) => found.some((each) => each.invariant === invariant);
	const smallest = await shrink(plan, async (each) => breaks(await playPlan(each, built)));
	const { story } = await playPlan(smallest, built);
	console.log(story.join('\n'));
	console.log(JSON.stringify({ switches: smallest.switches, flows: smallest.flows }));
}

/** Says of each fault which invariant it breaks at its seed; ends with 1 when one is not found. */
async function playFaults(list: string): Promise<never> {
	let isMissing = false;
	for (const [name, seed] of list.split(',').map((each) => each.split(':'))) {
		const { broken } = await playPlan(drawPlan(Number(seed)), buildWith(name));
		isMissing ||= broken.length === 0;
		console.log(`${name} at ${seed}: ${broken[0]?.invariant ?? 'nothing breaks'}`);
	}
	await written();
	process.exit(isMissing ? 1 : 0);
}

/** What was printed into a pipe has left when this ends. */
async function written(): Promise<void> {
	await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
}

if (values.faults !== undefined) await playFaults(values.faults);
const built = buildWith(values.patch);
const first = Number(values.seed);
const count = Number(values.seeds);
const began = realNow();
const total: Record<string, number> = { seeds: 0, broken: 0 };
for (let seed = first; seed < first + count; seed++) {
	if (values.seconds !== undefined && realNow() - began > Number(values.seconds) * 1000) break;
	const plan = drawPlan(seed, values.month ? 'month' : 'usual');
	const report = await playPlan(plan, built);
	if (values.twice) {
		const again = await playPlan(plan, built);
		if (again.story.join('\n') !== report.story.join('\n'))
			report.broken.unshift({ invariant: 'a seed is a story', what: 'It went another way' });
	}
	total.seeds = (total.seeds ?? 0) + 1;
	for (const [name, value] of Object.entries(report.counts))
		total[name] = (total[name] ?? 0) + value;
	if (values.draw) writeFileSync(PICTURE, pictureOf(report.marks));
	if (count === 1) console.log(report.story.join('\n'));
	const [broken] = report.broken;
	if (broken === undefined) continue;
	total.broken = (total.broken ?? 0) + 1;
	console.log(`Seed ${seed} breaks: ${broken.invariant}. ${broken.what}`);
	if (values.first) break;
	if (count > 1) await tellShortest(plan, report, built);
}
console.log(
	Object.entries(total)
		.map(([name, value]) => `${value} ${name}`)
		.join(', '),
);
const { user, system } = process.cpuUsage();
const cpu = ((user + system) / 1e6).toFixed(1);
console.error(`${((realNow() - began) / 1000).toFixed(1)} s, ${cpu} s of them on the processor`);
await written();
process.exit(total.broken === 0 ? 0 : 1);
