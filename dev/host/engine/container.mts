import './environment.mts';

import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Logger } from 'n8n-workflow';

type Class<T> = abstract new (...args: never[]) => T;

interface ServiceContainer {
	get<T>(type: Class<T>): T;
	set<T>(type: Class<T>, instance: T): void;
}

// Several versions of n8n's container may be installed. The engine's services are only in the one
// that n8n-core itself loads, so both modules are resolved from n8n-core.
const core = createRequire(createRequire(join(process.cwd(), 'package.json')).resolve('n8n-core'));

const { Container } = core('@n8n/di') as { Container: ServiceContainer };
const backend = core('@n8n/backend-common') as { Logger: Class<Logger> };

export const container = Container;
export const LoggerService = backend.Logger;
