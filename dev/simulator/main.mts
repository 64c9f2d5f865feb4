// `npm run simulate -- --seed 7` tells one story; with `--seeds 100`, so many are played from there on, and those
// that break are told in their shortest form. README.md has all options.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { buildNodes, type BuiltNodes } from './engine/build.mts';
import { realNow } from './engine/clock.mts';
import { drawPlan } from './plan/draw.mts';
import { patchFiles } from './plan/files.mts';
import type { Plan } from './plan/plan.mts';
import { shrink } from './plan/shrink.mts';
import { PATCHES } from './patches.mts';
import { Reached } from './world/reached.mts';
import type { Report } from './world/report.mts';
import { playPlan } from './world/world.mts';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		seeds: { type: 'string', default: '1' },
		/** A file with a plan, in place of seeds. */
		plan: { type: 'string' },
		/** All plans that are kept, in place of seeds. */
		plans: { type: 'boolean', default: false },
		/** A fault of `patches.mts` that is put back first. */
		patch: { type: 'string' },
		/** Puts each of these back by itself, and plays one seed: `name:seed,name:seed`. */
		faults: { type: 'string' },
		/** Ends with the first story that breaks, and does not make it shorter. */
		first: { type: 'boolean', default: false },
		/** Says of each that breaks only how. */
		brief: { type: 'boolean', default: false },
		/** Plays each once more, and compares the stories. */
		twice: { type: 'boolean', default: false },
		/** Prints what has happened how often, and fails when something never did. */
		reach: { type: 'boolean', default: false },
		/** Ends after so many seconds, whatever is left. */
		seconds: { type: 'string' },
	},
});

const KEPT = join(import.meta.dirname, 'plans');
const BROKEN = join(import.meta.dirname, '../../reports/worlds');

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

const planIn = (file: string): Plan => JSON.parse(readFileSync(file, 'utf8')) as Plan;

/** What is to be played, each with its name. */
function* plans(): Generator<[name: string, plan: Plan]> {
	if (values.plan !== undefined) return yield [values.plan, planIn(values.plan)];
	if (values.plans) {
		for (const file of readdirSync(KEPT).sort()) yield [file, planIn(join(KEPT, file))];
		return;
	}
	const first = Number(values.seed);
	for (let seed = first; seed < first + Number(values.seeds); seed++)
		yield [`seed ${seed}`, drawPlan(seed)];
}

/** Keeps the plan of a world that breaks in a file. */
function keep(plan: Plan): string {
	mkdirSync(BROKEN, { recursive: true });
	const file = join(BROKEN, `${plan.seed}.json`);
	writeFileSync(file, `${JSON.stringify(plan, null, '\t')}\n`);
	return relative(process.cwd(), file);
}

/** Tells the shortest story that breaks in the same way, and keeps that instead. */
async function tellShortest(plan: Plan, { broken }: Report, built: BuiltNodes): Promise<void> {
	const invariant = broken[0]?.invariant;
	const breaks = ({ broken: found }: Report) => found.some((each) => each.invariant === invariant);
	const smallest = await shrink(plan, async (each) => breaks(await playPlan(each, built)));
	const { story } = await playPlan(smallest, built);
	console.log(story.join('\n'));
	console.log(`npm run simulate -- --plan ${keep(smallest)}`);
}

/** Says of each fault which invariant it breaks at its seed; ends with 1 when one is not found. */
async function playFaults(list: string): Promise<never> {
	let isMissing = false;
	for (const [name, seed] of list.split(',').map((each) => each.split(':'))) {
		const { broken } = await playPlan(drawPlan(Number(seed)), buildWith(name));
		isMissing ||= broken.length === 0;
		console.log(`${name} at ${seed}: ${broken[0]?.invariant ?? 'nothing breaks'}`);
	}
	return await end(isMissing);
}

/** What was printed into a pipe has left when this ends. */
async function end(hasFailed: boolean): Promise<never> {
	await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
	process.exit(hasFailed ? 1 : 0);
}

if (values.faults !== undefined) await playFaults(values.faults);
const built = buildWith(values.patch);
const isOne = values.plan !== undefined || (!values.plans && values.seeds === '1');
const began = realNow();
const total: Record<string, number> = { worlds: 0, broken: 0 };
const reached = new Reached();
let played = '';
for (const [name, plan] of plans()) {
	if (values.seconds !== undefined && realNow() - began > Number(values.seconds) * 1000) break;
	const report = await playPlan(plan, built);
	if (values.twice) {
		const again = await playPlan(plan, built);
		if (again.story.join('\n') !== report.story.join('\n'))
			report.broken.unshift({ invariant: 'a seed is a story', what: 'It went another way' });
	}
	total.worlds = (total.worlds ?? 0) + 1;
	played = played === '' ? name : `${played.split(' to ')[0]} to ${name}`;
	for (const [each, value] of Object.entries(report.counts))
		total[each] = (total[each] ?? 0) + value;
	reached.add(report.reached);
	if (isOne && !values.brief) console.log(report.story.join('\n'));
	const [broken] = report.broken;
	if (broken === undefined) continue;
	total.broken = (total.broken ?? 0) + 1;
	console.log(`${name} breaks: ${broken.invariant}. ${broken.what}`);
	const isDrawn = values.plan === undefined && !values.plans;
	if (isDrawn) keep(plan);
	if (values.first) break;
	if (isDrawn && !values.brief) await tellShortest(plan, report, built);
}
const counts = Object.entries(total).map(([name, value]) => `${value} ${name}`);
console.log(`${played}: ${counts.join(', ')}`);
const missing = values.reach ? reached.missing() : [];
if (values.reach) console.log(reached.table().join('\n'));
if (missing.length > 0) console.log(`Never happened: ${missing.join(', ')}`);
const { user, system } = process.cpuUsage();
const cpu = ((user + system) / 1e6).toFixed(1);
console.error(`${((realNow() - began) / 1000).toFixed(1)} s, ${cpu} s of them on the processor`);
await end((total.broken ?? 0) > 0 || missing.length > 0);
