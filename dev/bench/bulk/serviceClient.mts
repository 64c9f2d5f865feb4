import { startService as start, type Service as Started } from '../shared/service.mts';

/** What the service saw. */
export interface Census {
	requests: number;
	peakInFlight: number;
	accepted: number;
	/** Accepted creates of different references. */
	distinct: number;
}

export interface Service extends Started {
	/** What was seen since the last census; the service forgets it then. */
	census: () => Promise<Census>;
}

export async function startService(latencyMs: number): Promise<Service> {
	const service = await start(new URL('./service.mts', import.meta.url), String(latencyMs));
	return { ...service, census: async () => await service.ask<Census>('census') };
}
