import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../../../host/shared/port.mts';
import { until } from '../../../host/shared/until.mts';

const run = promisify(execFile);

/** Where Debian and others put the programs of a Postgres server. */
const PLACES = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt/postgresql'];

function findPrograms(): string | undefined {
	const versions = PLACES.filter(existsSync).flatMap((place) =>
		readdirSync(place).map((name) => join(place, name, 'bin')),
	);
	return [...versions, ...PLACES.map((place) => join(place, 'bin'))].find((folder) =>
		existsSync(join(folder, 'initdb')),
	);
}

export const hasPostgres = (): boolean => findPrograms() !== undefined;

export interface Postgres {
	port: number;
	user: string;
	query(sql: string): Promise<void>;
	stop(): Promise<void>;
}

/** Postgres refuses to run as root; Debian's package brings a user for it. */
async function account(): Promise<{ uid?: number; gid?: number }> {
	if (process.getuid?.() !== 0) return {};
	const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

/** A throw-away Postgres on a free port. */
export async function startPostgres(): Promise<Postgres> {
	const programs = findPrograms();
	if (programs === undefined) throw new Error('There is no Postgres on this machine');
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-postgres-'));
	const as = await account();
	if (as.uid !== undefined) await chown(folder, as.uid, as.gid!);
	const [data, user, port] = [join(folder, 'data'), 'soak', await freePort()];
	const options = { ...as, cwd: folder };
	await run(join(programs, 'initdb'), ['-D', data, '-U', user, '-A', 'trust', '-N'], options);
	const args = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1'];
	const server = spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
	const ended = once(server, 'close');
	const query = async (sql: string) => {
		const target = ['-h', '127.0.0.1', '-p', String(port), '-U', user, '-d', 'postgres'];
		await run(join(programs, 'psql'), [...target, '-v', 'ON_ERROR_STOP=1', '-c', sql], options);
	};
	await until('Postgres', async () =>
		query('SELECT 1').then(
			() => true,
			() => undefined,
		),
	);
	return {
		port,
		user,
		query,
		async stop() {
			server.kill('SIGINT');
			await ended;
			await rm(folder, { recursive: true, force: true });
		},
	};
}
