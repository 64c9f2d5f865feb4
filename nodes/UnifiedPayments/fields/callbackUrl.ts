import { withMark } from '../payment/mark';
import { changeQuery, isSecret, maskValue } from '../protocol/query';
import { optionalTextField, readUrl } from './text';

export const callbackUrlField = optionalTextField(
	{
		displayName: 'Callback URL',
		name: 'callbackUrl',
		placeholder: 'e.g. https://n8n.example.com/webhook/payments',
		hint: 'Use the Production URL of a Unified Payments Trigger to hear when the payment is made.',
		builderHint: {
			propertyHint:
				"The Production URL of a Unified Payments Trigger. Without it nobody is told about the payment; leave it empty when 'waitInThisExecution' is on.",
		},
		description:
			'Address that the service calls with the result. A mark is added to it, which names the order and proves that the address came from this node.',
	},
	readUrl,
);

/** The address that is sent, and the same as items may show it: what is secret in it is masked. */
export function callbackUrls(url: string, mark: string | null): { sent: string; shown: string } {
	const sent = mark === null ? url : withMark(url, mark);
	const shown = changeQuery(sent, (parameters) =>
		parameters.map((each) => (isSecret(each) ? maskValue(each) : each)),
	);
	return { sent, shown };
}
