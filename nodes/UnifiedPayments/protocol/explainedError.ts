import { ADVICE } from './advice';
/** What became of one create. `unknown` means: look it up before anyone sends it again. */
export type Outcome = 'accepted' | 'rejected' | 'not_sent' | 'unknown' | 'duplicate' | 'valid';

/** What went wrong, in words for the user. All errors of this package that users read are of this kind. */
export class ExplainedError extends Error {
	constructor(
		message: string,
		/** What to do. */
		readonly description: string,
		/** What became of the create, where there was one. */
		readonly outcome: Outcome | null = null,
		/** Something that the user set or gave has to change first. */
		readonly isToCorrect = false,
	) {
		super(message);
		this.name = new.target.name;
	}
}

/** A setting or a body that cannot be used; the message says which one and what to do. */
export class SetupError extends ExplainedError {
	constructor(message: string) {
		super(message, `${ADVICE.credential} Nothing was sent.`, null, true);
	}
}

export const outcomeIn = (error: unknown): Outcome | null =>
	error instanceof ExplainedError ? error.outcome : null;
