import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { cacheFolder } from '../n8n/cacheFolder.mts';

export const USAGE = `Usage: npm start -- [options]

Starts n8n with this package in it, the sandbox, and stand-ins for mail, Slack, SMS and WhatsApp,
connected to each other.
The first start installs n8n into a cache folder (about 3 GB; N8N_HOST_CACHE sets another folder).

  --port <number>          port of n8n (default: 5678)
  --sandbox-port <number>  port of the sandbox (default: 5680)
  --messages-port <number> port of the page that shows what n8n has sent (default: 5682)
  --no-stand-ins           n8n reaches the real mail, Slack, SMS and WhatsApp
  --data <folder>          where n8n and the sandbox keep their data (default: in the cache folder)
  --fresh                  delete the data of both and start again from the beginning
  --once                   start, send a sheet, print the result, and stop
  --install                only install n8n, e.g. for a CI image
  --help                   show this text

Use your own n8n on this machine instead, e.g. one in Docker; it says how to run that:

  --n8n-url <url>          its address
  --api-key <key>          adds the credential and the examples; create the key in n8n under
                           Settings > n8n API (scopes: create, list and update, for credentials
                           and workflows)`;

export interface StartOptions {
	port: number;
	sandboxPort: number;
	/** Without stand-ins there is no such page. */
	messagesPort?: number;
	data: string;
	fresh: boolean;
	once: boolean;
}

export type Command =
	| { kind: 'help' }
	| { kind: 'error'; message: string }
	| { kind: 'install' }
	| { kind: 'start'; options: StartOptions }
	| { kind: 'existing'; url: string; apiKey?: string; sandboxPort: number };

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

export function parseCommandLine(args: readonly string[]): Command {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				port: { ...text, default: '5678' },
				'sandbox-port': { ...text, default: '5680' },
				'messages-port': { ...text, default: '5682' },
				'no-stand-ins': flag,
				data: text,
				fresh: flag,
				once: flag,
				install: flag,
				help: flag,
				'n8n-url': text,
				'api-key': text,
			},
		});
		if (values.help) return { kind: 'help' };
		if (values.install) return { kind: 'install' };
		const sandboxPort = portOf(values['sandbox-port'], '--sandbox-port');
		if (values['n8n-url'] !== undefined) {
			const url = urlOf(values['n8n-url']);
			return { kind: 'existing', url, apiKey: values['api-key'], sandboxPort };
		}
		if (values['api-key'] !== undefined) throw new Error('--api-key needs --n8n-url.');
		const { fresh, once } = values;
		const data = resolve(values.data ?? join(cacheFolder(), 'data'));
		const port = portOf(values.port, '--port');
		const messagesPort = values['no-stand-ins']
			? undefined
			: portOf(values['messages-port'], '--messages-port');
		if (once && messagesPort === undefined) {
			throw new Error('--once approves in the stand-in for mail: leave --no-stand-ins out.');
		}
		if (new Set([port, sandboxPort, messagesPort]).size < 3) {
			throw new Error('n8n, the sandbox and the page with the messages need different ports.');
		}
		return {
			kind: 'start',
			options: { port, sandboxPort, messagesPort, data, fresh, once },
		};
	} catch (error) {
		return { kind: 'error', message: (error as Error).message };
	}
}

function portOf(given: string, name: string): number {
	const port = Number(given);
	if (/^\d+$/.test(given) && port > 0 && port < 65_536) return port;
	throw new Error(`${name} takes a number from 1 to 65535, not '${given}'.`);
}

function urlOf(given: string): string {
	if (URL.canParse(given)) return given.replace(/\/+$/, '');
	throw new Error(`--n8n-url takes an address such as http://localhost:5678, not '${given}'.`);
}
