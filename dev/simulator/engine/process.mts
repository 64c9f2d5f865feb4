import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * One life of n8n, from its start to its end or its kill. Promises cannot be stopped, so whatever a
 * killed n8n still asks of the world (the time, the network, its database) is never answered.
 */
export class Process {
	isDead = false;
	/** How often its code has come back from an await on the world outside. */
	steps = 0;
	private killAt: { step: number; kill: () => void } | undefined;
	private cancelAt: { step: number; cancel: () => void } | undefined;

	/** It is killed after so many more steps. */
	killAfter(steps: number, kill: () => void): void {
		this.killAt = { step: this.steps + steps, kill };
	}

	/** Something else is done to it after so many more steps. */
	cancelAfter(steps: number, cancel: () => void): void {
		this.cancelAt = { step: this.steps + steps, cancel };
	}

	/** Nothing is done to it any more. */
	spare(): void {
		this.killAt = undefined;
		this.cancelAt = undefined;
	}

	/** Called at every await on the outside, before and after. False when the caller is dead. */
	step(): boolean {
		if (this.isDead) return false;
		this.steps++;
		if (this.cancelAt !== undefined && this.steps >= this.cancelAt.step) {
			const { cancel } = this.cancelAt;
			this.cancelAt = undefined;
			cancel();
		}
		if (this.killAt !== undefined && this.steps >= this.killAt.step) {
			const { kill } = this.killAt;
			this.killAt = undefined;
			this.isDead = true;
			kill();
		}
		return !this.isDead;
	}
}

/** Who is running: which life of n8n, and which execution. */
export interface Running {
	process: Process;
	execution: string;
}

const running = new AsyncLocalStorage<Running>();

export const whoRuns = (): Running | undefined => running.getStore();

export const runAs = <T,>(who: Running, work: () => T): T => running.run(who, work);

/** The world outside, which is nobody's process. */
export const runOutside = <T,>(work: () => T): T => running.exit(work);

/** Never ends: what a dead process waits for. */
export const forever = <T,>(): Promise<T> => new Promise<T>(() => undefined);

/** Passes when the caller may go on; never, when it was killed here. */
export async function checkpoint(): Promise<void> {
	const who = whoRuns();
	if (who !== undefined && !who.process.step()) await forever();
}
