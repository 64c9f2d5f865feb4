import { AsyncResource } from 'node:async_hooks';
import { setImmediate as realTurn } from 'node:timers/promises';

import { whoRuns } from './process.mts';

interface Timer {
	id: number;
	at: number;
	run: () => void;
	/** Of an interval. */
	every: number | null;
}

const real = {
	Date: globalThis.Date,
	setTimeout: globalThis.setTimeout,
	clearTimeout: globalThis.clearTimeout,
	setInterval: globalThis.setInterval,
	clearInterval: globalThis.clearInterval,
	setImmediate: globalThis.setImmediate,
};

/** The real time, for what the simulator itself measures. */
export const realNow = (): number => real.Date.now();

/** Turns of the event loop until everything that needs no time has happened. */
const TURNS = 2;

/** Time that passes only when nothing else can happen, and then at once. */
export class Clock {
	private time: number;
	private ids = 0;
	private readonly timers = new Map<number, Timer>();
	private immediates = 0;

	constructor(start: number) {
		this.time = start;
	}

	now(): number {
		return this.time;
	}

	/** From here on this process has this time. Gives what takes it back. */
	install(): () => void {
		const now = () => this.time;
		globalThis.Date = class extends real.Date {
			constructor(...given: unknown[]) {
				if (given.length === 0) super(now());
				else super(...(given as [number]));
			}
			static override now(): number {
				return now();
			}
		} as DateConstructor;
		const start =
			(repeats: boolean) =>
			(run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
				this.handleOf(this.add(() => run(...given), Number(ms) || 0, repeats));
		const stop = (handle: unknown) => void this.timers.delete(Number(handle));
		Object.assign(globalThis, {
			setTimeout: start(false),
			setInterval: start(true),
			clearTimeout: stop,
			clearInterval: stop,
			setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) => {
				this.immediates++;
				return real.setImmediate(() => {
					this.immediates--;
					run(...given);
				});
			},
		});
		return () => void Object.assign(globalThis, real);
	}

	/** Something that the world outside does at its time. */
	at(time: number, run: () => void): void {
		this.add(run, Math.max(0, time - this.time), false);
	}

	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.add(resolve, ms, false));
	}

	/** Lets everything happen that is due until then. */
	async runUntil(end: number): Promise<void> {
		for (;;) {
			await this.settle();
			const next = this.next();
			if (next === undefined || next.at > end) break;
			this.time = Math.max(this.time, next.at);
			if (next.every === null) this.timers.delete(next.id);
			else next.at += Math.max(1, next.every);
			next.run();
		}
		this.time = Math.max(this.time, end);
	}

	private async settle(): Promise<void> {
		for (let turn = 0; turn < TURNS || this.immediates > 0; turn++) await realTurn();
	}

	/** The earliest; of those, the one that was set first. */
	private next(): Timer | undefined {
		let first: Timer | undefined;
		for (const timer of this.timers.values()) {
			if (first === undefined || timer.at < first.at) first = timer;
		}
		return first;
	}

	private add(run: () => void, ms: number, repeats: boolean): number {
		const id = ++this.ids;
		const who = whoRuns();
		const bound = AsyncResource.bind(() => {
			// The timers of a process that was killed are gone with it.
			if (who === undefined || who.process.step()) run();
		});
		this.timers.set(id, {
			id,
			at: this.time + Math.max(0, ms),
			run: bound,
			every: repeats ? ms : null,
		});
		return id;
	}

	/** Node's timers are objects that can be told not to keep the process alive. */
	private handleOf(id: number): object {
		const handle = {
			ref: () => handle,
			unref: () => handle,
			hasRef: () => true,
			refresh: () => handle,
			[Symbol.toPrimitive]: () => id,
		};
		return handle;
	}
}
