import { parseArgs } from 'node:util';

import { numberIn, text } from '../shared/options.mts';

export const USAGE = `Usage: npm run bench:scale -- [options]

Runs n8n in queue mode with Redis and PostgreSQL, on this machine, with two workers and then with one:
sheets of collections at the same time, and callbacks through the webhook processor, to this trigger
and to n8n's own Webhook node. It takes about four minutes.

  --rows <number>         rows of each of the two sheets that run at the same time (default: 1000)
  --latency <ms>          how long the service takes to answer a row (default: 50)
  --connections <number>  callbacks under way at once (default: 8)
  --requests <number>     callbacks of each connection in a window (default: 20)
  --rounds <number>       how often everything is repeated; medians are printed (default: 3)
  --help                  this text`;

export interface Options {
	rows: number;
	latencyMs: number;
	connections: number;
	requests: number;
	rounds: number;
}

/** Null when only help was asked for. */
export function readOptions(args: string[]): Options | null {
	const { values } = parseArgs({
		args,
		options: {
			rows: text('1000'),
			latency: text('50'),
			connections: text('8'),
			requests: text('20'),
			rounds: text('3'),
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return null;
	return {
		rows: numberIn(values.rows, '--rows'),
		latencyMs: numberIn(values.latency, '--latency'),
		connections: numberIn(values.connections, '--connections'),
		requests: numberIn(values.requests, '--requests'),
		rounds: numberIn(values.rounds, '--rounds'),
	};
}
