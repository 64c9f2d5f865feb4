import type { Reply } from '../protocol/reply';
import { CallError } from '../transport/errors';
import { failureOf } from '../transport/verdict';

/** For a reply that says success but does not hold what was asked for. */
export function unreadable(reply: Reply, name: string): never {
	const failure = failureOf('unreadable', { serviceMessage: reply.message });
	throw new CallError(failure, { name, creates: false });
}
