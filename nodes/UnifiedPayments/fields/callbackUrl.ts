import { withMark } from '../payment/mark';
import { changeQuery, isSecret, isToken, maskValue, withParameter } from '../protocol/query';
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
			"Address that the service calls with the result. Added to it are the credential's callback token, in place of one that is typed, and the order, by which the trigger knows what was paid.",
	},
	readUrl,
);

/**
 * The callback URL with the user's own secret, by which the trigger knows a real callback. A token
 * that was typed into it is replaced: with two of them, neither would be believed.
 */
const withToken = (url: string, token: string | null): string =>
	token === null ? url : withParameter(url, 'token', encodeURIComponent(token));

/** The same as items may show it: without the token, or with the typed one masked when it is sent. */
const shownUrl = (url: string, token: string | null): string =>
	changeQuery(url, (parameters) =>
		parameters
			.filter((each) => token === null || !isToken(each))
			.map((each) => (isSecret(each) ? maskValue(each) : each)),
	);

/** The address that is sent, and the same as items may show it. */
export function callbackUrls(
	url: string,
	token: string | null,
	mark: string | null,
): { sent: string; shown: string } {
	// Last, so that a service that cuts long addresses spoils the mark, which is told, and not the
	// token, without which nobody would hear of it.
	const marked = (address: string) => (mark === null ? address : withMark(address, mark));
	return { sent: marked(withToken(url, token)), shown: marked(shownUrl(url, token)) };
}
