import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

import type { AxiosError, AxiosStatic, InternalAxiosRequestConfig } from 'axios';

import type { Clock } from './clock.mts';
import { checkpoint, forever, runOutside, whoRuns } from './process.mts';

/** A request of n8n, as the other side gets it. */
export interface WireRequest {
	method: string;
	url: string;
	headers: Record<string, string>;
	body: string;
	/** Which execution sent it; the other side must not look at it, the oracle may. */
	execution: string;
}

/** What comes back, and what becomes of the connection. */
export type WireReply =
	| { kind: 'reply'; status: number; headers?: Record<string, string>; body: string; cut?: boolean }
	| { kind: 'refused' | 'reset' | 'silence' };

export interface Exchange {
	/** On the way there, in milliseconds. */
	there: number;
	/** And back. */
	back: number;
	/** Whether a byte arrives at all. */
	connects: boolean;
	/** Called when it arrives. */
	answer: () => WireReply;
}

/** n8n's HTTP helper uses this very axios, whichever other ones are installed. */
const core = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
const axios = createRequire(core.resolve('@n8n/backend-network'))('axios') as AxiosStatic;

/**
 * The network, below n8n's own HTTP helper: everything above it is the real code. Gives what takes
 * it back.
 */
export function installWire(clock: Clock, receive: (request: WireRequest) => Exchange): () => void {
	const { adapter } = axios.defaults;
	axios.defaults.adapter = async (config) => {
		await checkpoint();
		const request = readRequest(config);
		const exchange = runOutside(() => receive(request));
		const reply = await raced(clock, config, answered(clock, exchange));
		await checkpoint();
		if (reply.kind !== 'reply') throw brokenBy(reply.kind, config);
		return {
			status: reply.status,
			statusText: '',
			headers: { 'content-type': 'application/json', ...reply.headers },
			data: bodyOf(reply),
			config,
			request: {},
		};
	};
	return () => void (axios.defaults.adapter = adapter);
}

function readRequest({ method, url, headers, data }: InternalAxiosRequestConfig): WireRequest {
	return {
		method: (method ?? 'get').toUpperCase(),
		url: url ?? '',
		headers: Object.fromEntries(
			Object.entries(headers.toJSON()).map(([name, value]) => [name.toLowerCase(), String(value)]),
		),
		body: typeof data === 'string' ? data : '',
		execution: whoRuns()?.execution ?? '',
	};
}

/** It arrives, whether or not the one who sent it still lives. */
const answered = async (
	clock: Clock,
	{ there, back, connects, answer }: Exchange,
): Promise<WireReply> =>
	await new Promise((resolve) => {
		runOutside(() => {
			clock.at(clock.now() + there, () => {
				const reply: WireReply = connects ? answer() : { kind: 'refused' };
				if (reply.kind === 'silence') return;
				clock.at(clock.now() + back, () => resolve(reply));
			});
		});
	});

/** Until its time-out, or until it is called off. */
async function raced(
	clock: Clock,
	config: InternalAxiosRequestConfig,
	reply: Promise<WireReply>,
): Promise<WireReply> {
	const late = new Promise<never>((_, reject) => {
		if (config.timeout) clock.at(clock.now() + config.timeout, () => reject(lateBy(config)));
		const signal = config.signal as AbortSignal | undefined;
		const end = () => reject(new axios.CanceledError());
		if (signal?.aborted) end();
		else signal?.addEventListener('abort', end);
	});
	late.catch(() => undefined);
	return await Promise.race([reply, late]);
}

const lateBy = (config: InternalAxiosRequestConfig): AxiosError =>
	new axios.AxiosError(`timeout of ${config.timeout}ms exceeded`, 'ECONNABORTED', config, {});

function brokenBy(
	kind: 'refused' | 'reset' | 'silence',
	config: InternalAxiosRequestConfig,
): Error {
	const isRefused = kind === 'refused';
	const code = isRefused ? 'ECONNREFUSED' : 'ECONNRESET';
	const error = new axios.AxiosError(
		isRefused ? 'connect ECONNREFUSED' : 'socket hang up',
		code,
		config,
		{},
	);
	return Object.assign(error, { syscall: isRefused ? 'connect' : 'read' });
}

/** A reply is a stream, and one that is cut ends with an error in the middle of it. */
function bodyOf({ body, cut }: Extract<WireReply, { kind: 'reply' }>): Readable {
	return Readable.from(
		(async function* () {
			const bytes = Buffer.from(body);
			yield cut ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
			if (cut) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
			const who = whoRuns();
			if (who?.process.isDead) await forever();
		})(),
		{ objectMode: false },
	);
}
