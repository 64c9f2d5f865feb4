import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a host is installed once per machine. `N8N_HOST_CACHE` names another place. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
	if (env.N8N_HOST_CACHE) return env.N8N_HOST_CACHE;
	return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-unified-payments');
}
