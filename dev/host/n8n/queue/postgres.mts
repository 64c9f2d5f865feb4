import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../../shared/port.mts';
import { until } from '../../shared/until.mts';
import { startGuarded } from './guarded.mts';

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
	/** Its processes are all below this one. */
	pid: number | undefined;
	user: string;
	database: string;
	/** Gives what it selects, a line for each row. */
	query(sql: string): Promise<string[]>;
	stop(): Promise<void>;
}

/** Postgres refuses to run as root; Debian's package brings a user for it. */
async function account(): Promise<{ uid?: number; gid?: number }> {
	if (process.getuid?.() !== 0) return {};
	const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

const USER = 'n8n';
const DATABASE = 'postgres';

/** A private Postgres on a free port. What it stores stays in the folder, for the next start there. */
export async function startPostgres(folder: string): Promise<Postgres> {
	const programs = findPrograms();
	if (programs === undefined) {
		throw new Error(
			'There is no PostgreSQL on this machine. On Debian: apt-get install -y postgresql',
		);
	}
	const as = await account();
	await mkdir(folder, { recursive: true });
	if (as.uid !== undefined) await chown(folder, as.uid, as.gid!);
	const [data, port] = [join(folder, 'data'), await freePort()];
	const options = { ...as, cwd: folder };
	if (!existsSync(join(data, 'PG_VERSION'))) {
		const args = ['-D', data, '-U', USER, '-A', 'trust', '-N', '-E', 'UTF8', '--locale', 'C.UTF-8'];
		await run(join(programs, 'initdb'), args, options);
	}
	const server = startGuarded({
		command: join(programs, 'postgres'),
		args: ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1'],
		cwd: folder,
		as,
		endedBy: 'INT',
	});
	const query = async (sql: string) => {
		const target = ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', DATABASE];
		const args = [...target, '-v', 'ON_ERROR_STOP=1', '-qAt', '-c', sql];
		const { stdout } = await run(join(programs, 'psql'), args, options);
		return stdout.split('\n').filter((line) => line !== '');
	};
	await until(
		'Postgres',
		async () =>
			await query('SELECT 1').then(
				() => true,
				() => undefined,
			),
	).catch(async ({ message }: Error) => {
		await server.stop();
		throw new Error(`${message}\n${server.log().slice(-2000)}`);
	});
	return { port, pid: server.pid, user: USER, database: DATABASE, query, stop: server.stop };
}
