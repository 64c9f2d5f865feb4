import { parseArgs } from 'node:util';

import { namesIn, numberIn, text } from '../shared/options.mts';

export const USAGE = `Usage: npm run bench:trigger -- [options]

Sends callbacks to a real n8n and takes the time to the acknowledgement: to this trigger with two
kinds of verification, to a bare community trigger, to the same with a credential that it reads, to
n8n's own Webhook node, and to a bare trigger whose workflow asks the service by itself, as a user
would have to.

  --connections <number>  callbacks under way at once (default: 8)
  --requests <number>     callbacks of each connection in a window of the load without a pause
                          (default: 25)
  --windows <number>      windows of each kind in a round (default: 5)
  --rounds <number>       how often everything is repeated (default: 6)
  --only <names>          only these of: confirm, token, bare, secret, webhook, recipe
  --profile <folder>      afterwards one window more of each with a CPU profile, saved there and
                          summed up
  --help                  this text`;

export interface Options {
	connections: number;
	requests: number;
	windows: number;
	rounds: number;
	only: string[] | null;
	profile: string | null;
}

/** Null when only help was asked for. */
export function readOptions(args: string[]): Options | null {
	const { values } = parseArgs({
		args,
		options: {
			connections: text('8'),
			requests: text('25'),
			windows: text('5'),
			rounds: text('6'),
			only: { type: 'string' },
			profile: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return null;
	return {
		connections: numberIn(values.connections, '--connections'),
		requests: numberIn(values.requests, '--requests'),
		windows: numberIn(values.windows, '--windows'),
		rounds: numberIn(values.rounds, '--rounds'),
		only: namesIn(values.only),
		profile: values.profile ?? null,
	};
}
