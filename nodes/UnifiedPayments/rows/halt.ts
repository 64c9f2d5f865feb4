import { failed, type RowResult } from './result';

/** Why no further row may be sent, once there is a reason. */
export interface Halt {
	because(reason: string): void;
	/** What happened to one row can be a reason not to send the next. */
	after(row: number, result: RowResult): void;
	reason(): string | null;
}

export function createHalt(stopOnError: boolean, cancelled: () => boolean): Halt {
	let reason: string | null = null;
	return {
		because: (why) => void (reason ??= why),
		after(row, result) {
			const isToBlame = failed(result) && !result.dryRun;
			if (stopOnError && isToBlame) reason ??= `of what happened to row ${row + 1}`;
		},
		reason() {
			if (cancelled()) reason ??= 'the execution was cancelled';
			return reason;
		},
	};
}
