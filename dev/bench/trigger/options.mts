import { parseArgs } from 'node:util';

import { namesIn, numberIn, text } from '../shared/options.mts';

export const USAGE = `Usage: npm run bench:trigger -- [options]

Sends callbacks to a real n8n and takes the time to the acknowledgement, and the CPU time: to this
trigger with two kinds of verification, to a bare community trigger, and to n8n's own Webhook node; on
an n8n as it is, and on one with the two settings of docs/running-n8n.md. It takes some minutes.

  --full                  the long one, half an hour: more callbacks, and two peers more, a bare trigger
                          that reads a credential, and one whose workflow asks the service by itself, as
                          a user would have to
  --connections <number>  callbacks under way at once (default: 8)
  --requests <number>     callbacks of each connection in a window of the load without a pause
                          (default: 12; with --full 25)
  --windows <number>      windows of each kind in a round (default: 1; with --full 5)
  --rounds <number>       how often everything is repeated (default: 3; with --full 6)
  --only <names>          only these of: confirm, address, bare, secret, webhook, recipe
  --host <names>          only these of: settings, default
  --help                  this text`;

const SHORT = { requests: '12', windows: '1', rounds: '3' };
const FULL = { requests: '25', windows: '5', rounds: '6' };
/** What a short run leaves out says nothing about this trigger. */
const SHORT_PEERS = ['confirm', 'address', 'bare', 'webhook'];

const SET_UPS = ['settings', 'default'] as const;
export type SetUp = (typeof SET_UPS)[number];

export interface Options {
	full: boolean;
	connections: number;
	requests: number;
	windows: number;
	rounds: number;
	/** Null: all of them. */
	only: string[] | null;
	setUps: SetUp[];
}

/** Null when only help was asked for. */
export function readOptions(args: string[]): Options | null {
	const { values } = parseArgs({
		args,
		options: {
			full: { type: 'boolean', default: false },
			connections: text('8'),
			requests: { type: 'string' },
			windows: { type: 'string' },
			rounds: { type: 'string' },
			only: { type: 'string' },
			host: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return null;
	const { full } = values;
	const usual = full ? FULL : SHORT;
	const hosts = namesIn(values.host) ?? [...SET_UPS];
	return {
		full,
		connections: numberIn(values.connections, '--connections'),
		requests: numberIn(values.requests ?? usual.requests, '--requests'),
		windows: numberIn(values.windows ?? usual.windows, '--windows'),
		rounds: numberIn(values.rounds ?? usual.rounds, '--rounds'),
		only: namesIn(values.only) ?? (full ? null : SHORT_PEERS),
		setUps: SET_UPS.filter((each) => hosts.includes(each)),
	};
}
