import { startService as start, type Service as Started } from '../shared/service.mts';

export interface Payment {
	ref: string;
	amount: number;
	currency: string;
}

export interface Service extends Started {
	/** Makes payments that have succeeded. */
	payments: (count: number) => Promise<Payment[]>;
}

export async function startService(): Promise<Service> {
	const service = await start(new URL('./service.mts', import.meta.url));
	return { ...service, payments: async (count) => await service.ask<Payment[]>(count) };
}
