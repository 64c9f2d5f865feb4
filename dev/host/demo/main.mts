// `npm start`: a real n8n with this package in it, connected to the sandbox.
import { parseCommandLine, USAGE } from './commandLine.mts';
import type { StartOptions } from './commandLine.mts';
import { deleteData } from '../n8n/dataFolder.mts';
import { startDemo } from './index.mts';
import type { Demo } from './index.mts';
import { connectExistingN8n } from './existingN8n.mts';
import { buildIfStale } from '../n8n/index.mts';
import { install } from '../n8n/install.mts';
import { requireFreePort } from '../shared/port.mts';
import { chosenVersion } from '../n8n/release.mts';
import { existingN8nInstructions, startInstructions } from './instructions.mts';
import { sendFiveOrders } from './sendSheet.mts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.on(signal, () => interrupted.abort(new Error('Stopped.')));
}
const { signal } = interrupted;
const interruption = new Promise<void>((resolve) => {
	signal.addEventListener('abort', () => resolve(), { once: true });
});

const report = (line: string) => console.log(line);

async function start({ once, fresh, ...options }: StartOptions): Promise<void> {
	await requireFreePort(options.port, 'n8n', '--port');
	await requireFreePort(options.sandboxPort, 'the sandbox', '--sandbox-port');
	if (options.messagesPort !== undefined) {
		await requireFreePort(options.messagesPort, 'the page with the messages', '--messages-port');
	}
	if (fresh) await deleteData(options.data);
	report('Building the package');
	await buildIfStale();
	signal.throwIfAborted();
	let isUp = false;
	const warned = (line: string) => {
		if (isUp) report(`n8n warns: ${line}`);
	};
	const demo = await startDemo({ ...options, report, signal, warned });
	try {
		report(startInstructions(demo));
		isUp = true;
		if (once) return await runExample(demo);
		const ended = demo.host.ended.then(() => {
			if (!signal.aborted) throw new Error(`n8n has ended:\n${demo.host.log().slice(-2000)}`);
		});
		await Promise.race([interruption, ended]);
	} finally {
		report('Stopping');
		await demo.stop();
	}
}

async function runExample(demo: Demo): Promise<void> {
	const { links, corrections } = await sendFiveOrders(demo);
	report(`The sheet came back: ${links} links, ${corrections} to correct.`);
	if (links === 0) throw new Error('No link was created.');
}

async function onlyInstall(): Promise<void> {
	await install({ report, signal });
	report(`n8n ${chosenVersion()} is installed.`);
}

async function startForExistingN8n(options: { url: string; apiKey?: string; sandboxPort: number }) {
	await requireFreePort(options.sandboxPort, 'the sandbox', '--sandbox-port');
	await buildIfStale();
	const existing = await connectExistingN8n(options);
	report(existingN8nInstructions(options.url, existing));
	await interruption;
	await existing.sandbox.close();
}

const command = parseCommandLine(process.argv.slice(2));
try {
	if (command.kind === 'help') console.log(USAGE);
	else if (command.kind === 'install') await onlyInstall();
	else if (command.kind === 'start') await start(command.options);
	else if (command.kind === 'existing') await startForExistingN8n(command);
	else {
		console.error(`${command.message}\n\n${USAGE}`);
		process.exitCode = 2;
	}
} catch (error) {
	// Without the stack: the message is for users.
	console.error(signal.aborted ? 'Stopped.' : (error as Error).message);
	process.exitCode = signal.aborted ? 130 : 1;
}
