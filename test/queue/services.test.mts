import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startServices } from '../../host/n8n/queue/services.mts';
import { until } from '../../host/shared/until.mts';

const isOpen = async (port: number) =>
	await new Promise<boolean>((resolve) => {
		const socket = connect(port, '127.0.0.1', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});

it('a run that is killed leaves no Redis and no PostgreSQL behind, and the next one starts in the same folder', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-services-'));
	try {
		const child = fork(join(__dirname, '../helpers/services-child.mts'), [folder], {
			execArgv: ['--import', 'tsx'],
		});
		const [ports] = (await once(child, 'message')) as [number[]];
		expect(await Promise.all(ports.map(isOpen))).toEqual([true, true]);
		child.kill('SIGKILL');
		await until('the end of both', async () =>
			(await Promise.all(ports.map(isOpen))).includes(true) ? undefined : true,
		);
		const services = await startServices(folder);
		expect(await services.postgres.query('SELECT 1')).toEqual(['1']);
		await services.stop();
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
});
