import { changeQuery, isToken, maskValue } from '../protocol/query';
import type { Field } from './field';
import { readUrl } from './text';

export const callbackUrlField: Field<string | undefined> = {
	property: {
		displayName: 'Callback URL',
		name: 'callbackUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/payments',
		description:
			"Address that the service notifies about the result. The credential's callback token is added to it, in place of one that is typed.",
	},
	blank: { value: undefined },
	read: readUrl,
};

/**
 * The callback URL with the user's own secret, by which the trigger knows a real callback. A token
 * that was typed into it is replaced: with two of them, neither would be believed.
 */
export const withToken = (url: string, token: string | null): string =>
	token === null
		? url
		: changeQuery(url, (parameters) => [
				...parameters.filter((each) => !isToken(each)),
				`token=${encodeURIComponent(token)}`,
			]);

/** The same as items may show it: without the token, or with the typed one masked when it is sent. */
export const shownUrl = (url: string, token: string | null): string =>
	changeQuery(url, (parameters) =>
		token === null
			? parameters.map((each) => (isToken(each) ? maskValue(each) : each))
			: parameters.filter((each) => !isToken(each)),
	);
