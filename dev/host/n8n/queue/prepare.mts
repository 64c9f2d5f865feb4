// Before the tests in queue mode: n8n is installed if need be, and what else is missing is said once.
import { install } from '../install.mts';
import { requireServices } from './services.mts';

try {
	requireServices();
	await install({ report: console.log });
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
