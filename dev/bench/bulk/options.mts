import { parseArgs } from 'node:util';

import { namesIn, numberIn, text } from '../shared/options.mts';

export const USAGE = `Usage: npm run bench:bulk -- [options]

Creates collections from the rows of a sheet, on a real n8n, against the sandbox, in several ways:
this node in columns mode and in fields mode, the recipe of n8n's own nodes that a user would build
instead, and as bounds a bare loop over the host's HTTP helper and a loop of one row after another.

  --rows <number>       rows of the sheet (default: 2000)
  --lanes <numbers>     rows under way at once; the goals are read at the most and at the fewest
                        (default: 50,10)
  --latency <ms>        how long the service takes to answer (default: 50)
  --rounds <number>     how often everything is repeated, each time in another order; medians are
                        printed (default: 3)
  --growth <numbers>    rows of the sheets that show how cost grows, or 0 (default: 100,1000,10000)
  --history <number>    afterwards, how fast columns mode is when its node has sent that many rows
                        before, which it remembers so as not to send them again, with three entries
                        for each (default: 17000, 0 leaves it out)
  --only <names>        only these of: columns, fields, floor, links, recipe, batched, usual,
                        sequential; and of those that are not run unless named: constants, authentication, decrypted,
                        wire
  --help                this text`;

export interface Options {
	rows: number;
	/** Most first. */
	lanes: number[];
	latencyMs: number;
	rounds: number;
	growth: number[];
	/** 0: not measured. */
	history: number;
	only: string[] | null;
}

/** Null when only help was asked for. */
export function readOptions(args: string[]): Options | null {
	const { values } = parseArgs({
		args,
		options: {
			rows: text('2000'),
			lanes: text('50,10'),
			latency: text('50'),
			rounds: text('3'),
			growth: text('100,1000,10000'),
			history: text('17000'),
			only: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return null;
	return {
		rows: numberIn(values.rows, '--rows'),
		lanes: numbersIn(values.lanes, '--lanes').sort((a, b) => b - a),
		latencyMs: numberIn(values.latency, '--latency'),
		rounds: numberIn(values.rounds, '--rounds'),
		growth: values.growth === '0' ? [] : numbersIn(values.growth, '--growth'),
		history: values.history === '0' ? 0 : numberIn(values.history, '--history'),
		only: namesIn(values.only),
	};
}

const numbersIn = (given: string, name: string) =>
	given.split(',').map((each) => numberIn(each.trim(), name));
