import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { hasPostgres, startPostgres, type Postgres } from './postgres.mts';
import { hasRedis, startRedis, type Redis } from './redis.mts';

/** What the processes of n8n share in queue mode. */
export interface Services {
	postgres: Postgres;
	redis: Redis;
	/** How n8n finds them. */
	env: Record<string, string>;
	stop: () => Promise<void>;
}

/** Says what is missing on this machine, and the one command that installs it. */
export function requireServices(): void {
	const missing = [
		...(hasRedis() ? [] : [{ name: 'Redis', debian: 'redis-server' }]),
		...(hasPostgres() ? [] : [{ name: 'PostgreSQL', debian: 'postgresql' }]),
	];
	if (missing.length === 0) return;
	const names = missing.map(({ name }) => name).join(' and ');
	const command = `apt-get install -y ${missing.map(({ debian }) => debian).join(' ')}`;
	throw new Error(
		`n8n's queue mode needs ${names}, which this machine does not have. On Debian: ${command}`,
	);
}

/** For everybody, but nothing to read or to write. */
const THROUGH = 0o111;

/** Each keeps what it stores in a folder of its own below this one. */
export async function startServices(folder: string): Promise<Services> {
	requireServices();
	// Postgres may run as another user, who has to get through to its folder.
	const { mode } = await stat(folder);
	await chmod(folder, mode | THROUGH);
	const redis = await startRedis(join(folder, 'redis'));
	try {
		const postgres = await startPostgres(join(folder, 'postgres'));
		return {
			postgres,
			redis,
			env: {
				EXECUTIONS_MODE: 'queue',
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(redis.port),
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: '127.0.0.1',
				DB_POSTGRESDB_PORT: String(postgres.port),
				DB_POSTGRESDB_DATABASE: postgres.database,
				DB_POSTGRESDB_USER: postgres.user,
				DB_POSTGRESDB_PASSWORD: 'any',
			},
			async stop() {
				await postgres.stop();
				await redis.stop();
			},
		};
	} catch (error) {
		await redis.stop();
		throw error;
	}
}
