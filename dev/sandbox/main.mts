import { parseCommandLine, USAGE } from './cli.mts';
import { helpText } from './help.mts';
import { startSandbox } from './index.mts';
import { resolveOptions } from './options.mts';

const command = parseCommandLine(process.argv.slice(2));
if (command.kind === 'help') console.log(USAGE);
else if (command.kind === 'error') {
	console.error(`${command.message}\n\n${USAGE}`);
	process.exitCode = 2;
} else {
	try {
		const sandbox = await startSandbox(command.options);
		const settings = resolveOptions(command.options);
		const stop = () => void sandbox.close().then(() => process.exit(0));
		process.once('SIGINT', stop);
		process.once('SIGTERM', stop);
		// Last, because whoever reads it may ask the sandbox to stop right away.
		console.log(helpText(sandbox.url, settings, settings.switches));
	} catch (error) {
		// Usually the port is taken. The message says so, and a stack trace would hide it.
		console.error(`The sandbox did not start: ${error instanceof Error ? error.message : error}`);
		process.exitCode = 1;
	}
}
