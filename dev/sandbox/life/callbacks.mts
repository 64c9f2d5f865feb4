import axios from 'axios';
import { createHmac } from 'node:crypto';
import type { Callback, CallbackAttempt } from '../model.mts';
import type { CallbackRetry } from '../options.mts';
import type { Keep } from '../store/journal.mts';
import type { Store } from '../store/store.mts';
import { Lifetime } from './lifetime.mts';
import { isoTime } from './time.mts';

interface CallbackSettings {
	retry: CallbackRetry;
	timeoutMs: number;
	clock: () => number;
	secretOf: (reference: string) => string;
}

/** Delivers callbacks with retries and backoff, and keeps a record of every attempt. */
export class Callbacks {
	private lifetime = new Lifetime();

	constructor(
		private readonly store: Store,
		private readonly keep: Keep,
		private readonly settings: CallbackSettings,
	) {}

	/** `firstAttempt` resolves after the first attempt, `done` when the callback was delivered or given up. */
	send(reference: string, url: string, body: Record<string, unknown>) {
		const callback: Callback = {
			id: this.store.nextReference('CB'),
			reference,
			url,
			status: 'pending',
			attempts: [],
			body,
		};
		this.store.callbacks.set(callback.id, callback);
		this.changed(callback);
		const firstAttempt = this.attempt(callback);
		return { callback, firstAttempt, done: firstAttempt.then(() => this.retry(callback)) };
	}

	/** Sends it again right away, with the full number of attempts. */
	redeliver(callback: Callback): Promise<void> {
		callback.status = 'pending';
		this.changed(callback);
		return this.attempt(callback).then(() => this.retry(callback));
	}

	stop(): void {
		this.lifetime.end();
		this.lifetime = new Lifetime();
	}

	private async retry(callback: Callback): Promise<void> {
		const { lifetime } = this;
		const { attempts, firstDelayMs, factor } = this.settings.retry;
		let delay = firstDelayMs;
		for (let tried = 1; callback.status === 'pending'; tried++) {
			if (tried >= attempts) {
				callback.status = 'failed';
				return this.changed(callback);
			}
			if (!(await lifetime.pause(delay))) return;
			delay *= factor;
			await this.attempt(callback);
		}
	}

	private async attempt(callback: Callback): Promise<void> {
		const { lifetime } = this;
		const started = this.settings.clock();
		// Bytes, because axios would parse and trim a string before sending it.
		const payload = Buffer.from(JSON.stringify(callback.body), 'utf8');
		const key = this.settings.secretOf(callback.reference);
		const result = await lifetime
			.call((signal) =>
				axios.post(callback.url, payload, {
					headers: {
						'Content-Type': 'application/json',
						'User-Agent': 'unified-payments-sandbox',
						'X-Signature': createHmac('sha256', key).update(payload).digest('hex'),
					},
					timeout: this.settings.timeoutMs,
					maxRedirects: 0,
					proxy: false,
					responseType: 'text',
					validateStatus: () => true,
					signal,
				}),
			)
			.then(
				({ status }) => ({ status, error: null }),
				(error: unknown) => ({ status: null, error: messageOf(error) }),
			);
		if (lifetime.ended) return;
		this.record(callback, {
			at: isoTime(started),
			...result,
			durationMs: this.settings.clock() - started,
		});
	}

	private record(callback: Callback, attempt: CallbackAttempt): void {
		callback.attempts.push(attempt);
		if (attempt.status !== null && attempt.status >= 200 && attempt.status < 300)
			callback.status = 'delivered';
		this.changed(callback);
	}

	private changed(callback: Callback): void {
		this.keep('callback', callback);
	}
}

const messageOf = (error: unknown): string => {
	if (!(error instanceof Error)) return String(error);
	// An AggregateError of several refused addresses has an empty message but a code.
	const { code } = error as Error & { code?: string };
	return error.message || code || error.name;
};
