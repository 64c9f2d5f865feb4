import type { IExecuteFunctions } from 'n8n-workflow';

import { dependsOnRow } from '../../../nodes/UnifiedPayments/transport/accounts.ts';

/** A host that gives this for the credential as it was saved. */
const hostWith = (getDecrypted: () => unknown): IExecuteFunctions =>
	({
		getNode: () => ({}),
		getMode: () => 'manual',
		additionalData: { credentialsHelper: { getDecrypted: async () => getDecrypted() } },
	}) as unknown as IExecuteFunctions;

describe('whether a credential can be read once the run waits', () => {
	it.each<[string, object, boolean]>([
		['an expression in one of its fields', { clientId: 'c', sender: '={{ $json.shop }}' }, true],
		['braces that are no expression', { sender: 'a {{ b' }, false],
		['an expression without braces', { sender: '=plain' }, false],
		[
			'the host’s own variables',
			{ sender: '={{ $vars.shop }}', clientId: "={{ $env['C'] }}" },
			false,
		],
		['its own variables beside the row', { sender: '={{ $vars.shop }} {{ $json.shop }}' }, true],
		['switches and numbers', { allowHttp: true, port: 5 }, false],
	])('with %s', async (_, saved, expected) => {
		expect(await dependsOnRow(hostWith(() => saved))).toBe(expected);
	});

	const refuse = () => {
		throw new Error('Not for nodes');
	};

	it.each<[string, () => unknown]>([
		['gives no credential', () => null],
		['gives a text', () => '={{ $json.shop }}'],
		['refuses', refuse],
	])('is taken for granted on a host that %s', async (_, given) => {
		expect(await dependsOnRow(hostWith(given))).toBe(false);
	});
});
