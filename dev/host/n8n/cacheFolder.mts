import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where n8n is installed once per machine; `N8N_HOST_CACHE` sets another folder. */
export function cacheFolder(): string {
	const { N8N_HOST_CACHE, XDG_CACHE_HOME } = process.env;
	if (N8N_HOST_CACHE) return N8N_HOST_CACHE;
	return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-unified-payments');
}
