// The sandbox in a process of its own: makes payments on demand, and answers what became of them.
import { startSandbox } from '../../sandbox/index.mts';

const sandbox = await startSandbox({ settleDelayMs: Infinity, logLimit: 0 });

process.on('message', (count: number) => {
	const payments = Array.from({ length: count }, () => sandbox.addPayout({ status: 'success' }));
	process.send?.(payments.map(({ ref, amount, currency }) => ({ ref, amount, currency })));
});
process.once('disconnect', () => process.exit());

process.send?.({ url: sandbox.url, integration: sandbox.integrations[0] });
