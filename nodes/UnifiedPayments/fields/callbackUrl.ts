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
			"Address that the service notifies about the result. The credential's callback token is added to it.",
	},
	blank: { value: undefined },
	read: readUrl,
};

/** The callback URL with the user's own secret, by which the trigger knows a real callback. */
export function withToken(url: string, token: string | null): string {
	if (token === null) return url;
	const [address] = url.split('#') as [string];
	const joint = address.includes('?') ? '&' : '?';
	const fragment = url.slice(address.length);
	return `${address}${joint}token=${encodeURIComponent(token)}${fragment}`;
}
