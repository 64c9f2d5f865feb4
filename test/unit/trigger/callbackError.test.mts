import { SetupError } from '../../../nodes/UnifiedPayments/protocol/explainedError.ts';
import { CallError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { failureOf } from '../../../nodes/UnifiedPayments/transport/verdict.ts';
import { toCallbackError } from '../../../nodes/UnifiedPayments/trigger/execution/emit.ts';

const called = (kind: 'rateLimited' | 'noReply') =>
	new CallError(failureOf(kind, {}), { name: 'the status', creates: false });

it.each([
	[called('noReply'), /^The callback could not be confirmed\. \w/, /^\w.+ The callback is kept/],
	[called('rateLimited'), /^The callback could not be confirmed\. /, /^The callback is kept/],
	[new SetupError("'Secret Key' is empty"), /^'Secret Key' is empty/, /^Correct it\. The callback/],
	[new Error('x'), /^The callback could not be handled: x/, /^The callback is kept with this/],
])('%s: the callback is kept, and the reader knows what to do', (given, message, description) => {
	const told = (goesOn: boolean) =>
		toCallbackError(
			given,
			0,
			{ getNode: () => ({}), continueOnFail: () => goesOn } as never,
			new Redactor(),
		).error;
	expect(told(false).message).toMatch(message);
	expect(told(false).description).toMatch(description);
	// n8n lets nobody retry an execution that succeeded, which one that goes on does.
	expect(told(true).description).not.toMatch(/retry/i);
});
