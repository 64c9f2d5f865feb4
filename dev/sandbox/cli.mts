import { parseArgs } from 'node:util';
import { z } from 'zod';
import { issuesOf } from './protocol/envelope.mts';
import type { SandboxOptions } from './options.mts';
import { recipeSchema } from './protocol/signature.mts';
import { switchesSchema } from './switches.mts';

export const USAGE = `Usage: npm run sandbox -- [options]

  --port <number>                 port to listen on (default: a free one)
  --host <address>                address to listen on (default: 127.0.0.1)
  --public-url <url>              what payment links start with, if not host and port; the sandbox
                                  answers to this name, too
  --mode spec|rich                data of a create: {} or link and reference (default: spec)
  --list-entries callbackUrl|fields|otherNames
                                  a listed link: all its fields, all but the callback URL, or
                                  all under other names (default: callbackUrl)
  --records callbackUrl|noCallbackUrl
                                  whether a transaction record has callback_url (default: it has)
  --callback-urls whole|noQuery|cut255
                                  what is kept of a callback URL and called (default: whole)
  --status-by ref|ownReference    whether the status is also given by third_party_reference_1
                                  (default: ref)
  --reference-field <name>        what the service calls its own reference; a dot reaches inside
                                  (default: ref in records and callbacks, reference elsewhere)
  --link-field <name>             what it calls a link (default: link)
  --success-status <word>         its word for paid (default: success)
  --failure-status <word>         its word for not paid (default: failed)
  --failure-reason stated|empty   whether a record says why it failed (default: stated)
  --refusal <sentence>            what it refuses creates with, in place of the error table's words
  --strict                        refuse collections in the "Not Supported" countries
  --error-status ok|http          errors without a documented status: 200, or 400/403 (default: ok)
  --full-messages                 whole lines of the error table instead of the one that applies
  --list-authentication bearer|none
  --signature <seed>|<JSON>       how requests of the first integration are signed: drawn with a
                                  seed, or parts of a recipe (dev/sandbox/README.md)
  --tolerance <seconds>           how far a timestamp may be off (default: 300)
  --settle-delay <ms>             from pending to the final state (default: 1500)
  --state-file <path>             keep links, transactions and the rest over a restart
  --log-limit <number>            requests kept in the log (default: 500)
  --fault-seed <number>           seed of random faults (default: 1)
  --fault-probability <0..1>      share of requests that get a random fault (default: 0)
  --help`;

export type Command =
	| { kind: 'help' }
	| { kind: 'error'; message: string }
	| { kind: 'start'; options: SandboxOptions };

/** `listEntries` is `--list-entries`. */
const flagOf = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const SWITCHES = Object.keys(switchesSchema.shape).map((name) => [name, flagOf(name)] as const);
const whole = z.coerce.number().int().min(0);

/** A seed, or JSON with parts of a recipe. */
const signature = z.string().transform((given, context) => {
	if (/^\d{1,9}$/.test(given)) return Number(given);
	try {
		return recipeSchema.parse(JSON.parse(given));
	} catch (error) {
		const message = error instanceof z.ZodError ? issuesOf(error) : 'neither a seed nor JSON';
		context.addIssue({ code: 'custom', message });
		return z.NEVER;
	}
});

const flags = z.object({
	port: whole.max(65_535).optional(),
	host: z.string().optional(),
	'public-url': z.string().url().optional(),
	strict: z.boolean().optional(),
	'error-status': z.enum(['ok', 'http']).optional(),
	'full-messages': z.boolean().optional(),
	'list-authentication': z.enum(['bearer', 'none']).optional(),
	signature: signature.optional(),
	tolerance: whole.optional(),
	'settle-delay': whole.optional(),
	'state-file': z.string().min(1).optional(),
	'log-limit': whole.optional(),
	'fault-seed': whole.default(1),
	'fault-probability': z.coerce.number().min(0).max(1).default(0),
});

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

export function parseCommandLine(args: readonly string[]): Command {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				port: text,
				host: text,
				'public-url': text,
				...Object.fromEntries(SWITCHES.map(([, name]) => [name, text])),
				strict: flag,
				'error-status': text,
				'full-messages': flag,
				'list-authentication': text,
				signature: text,
				tolerance: text,
				'settle-delay': text,
				'state-file': text,
				'log-limit': text,
				'fault-seed': text,
				'fault-probability': text,
				help: { ...flag, short: 'h' },
			},
		});
		if (values.help) return { kind: 'help' };
		const parsed = flags.safeParse(values);
		if (!parsed.success) return { kind: 'error', message: issuesOf(parsed.error) };
		const said: Readonly<Record<string, unknown>> = values;
		const switches = switchesSchema
			.partial()
			.safeParse(Object.fromEntries(SWITCHES.map(([name, flag]) => [name, said[flag]])));
		if (!switches.success) return { kind: 'error', message: issuesOf(switches.error) };
		return { kind: 'start', options: { ...optionsOf(parsed.data), ...switches.data } };
	} catch (error) {
		return { kind: 'error', message: error instanceof Error ? error.message : String(error) };
	}
}

const optionsOf = (given: z.infer<typeof flags>): SandboxOptions => ({
	port: given.port,
	host: given.host,
	publicUrl: given['public-url'],
	strict: given.strict,
	errorStatus: given['error-status'],
	fullMessages: given['full-messages'],
	listAuthentication: given['list-authentication'],
	signature: given.signature,
	timestampToleranceSeconds: given.tolerance,
	settleDelayMs: given['settle-delay'],
	stateFile: given['state-file'],
	logLimit: given['log-limit'],
	faultPlan:
		given['fault-probability'] === 0
			? null
			: {
					seed: given['fault-seed'],
					probability: given['fault-probability'],
					faults: [
						{ kind: 'latency', delayMs: 500 },
						{ kind: 'rate-limit', retryAfter: 1 },
						{ kind: 'server-error' },
						{ kind: 'reset-before' },
						{ kind: 'reset-after' },
						{ kind: 'truncate' },
						{ kind: 'html' },
						{ kind: 'empty' },
					],
				},
});
