import { isIP } from 'node:net';

/** The setting with which an n8n that blocks private addresses reaches this one after all. */
export function allowedBy(url: string): string {
	const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
	const bits = { 4: 32, 6: 128 }[isIP(host)];
	return bits === undefined
		? `N8N_SSRF_ALLOWED_HOSTNAMES=${host}`
		: `N8N_SSRF_ALLOWED_IP_RANGES=${host}/${bits}`;
}
