import { resolveIntegration } from '../../dev/sandbox/integrations.mts';
import { verify } from '../../dev/sandbox/protocol/verify.mts';
import { readVectors } from '../vectors/read.mts';

/** The envelope of a vector, written without any code of the node or the sandbox. */
const bodyOf = (fields: Record<string, unknown>, paramsText: string) =>
	`${JSON.stringify(fields).slice(0, -1)},"params":${paramsText}}`;

describe.each(readVectors())('the sandbox reads vector %s', (_, vector) => {
	const { client_id, sender, timestamp, salt, signature } = vector;
	const integrations = [
		resolveIntegration({
			id: 'vector',
			title: sender,
			clientId: client_id,
			secretKey: vector.secret,
			signature: {
				template: vector.template,
				algorithm: vector.algorithm,
				encoding: vector.encoding,
			},
		}),
	];
	const ask = (body: string) =>
		verify(JSON.parse(body), body, timestamp, { integrations, toleranceSeconds: 1 });

	it('and accepts it', () => {
		const body = bodyOf({ client_id, sender, timestamp, salt, signature }, vector.params_text);
		expect(ask(body)).toMatchObject({
			ok: true,
			params: JSON.parse(vector.params_text) as unknown,
		});
	});

	it('and refuses it with another signature', () => {
		const other = (signature.startsWith('0') ? '1' : '0') + signature.slice(1);
		const fields = { client_id, sender, timestamp, salt, signature: other };
		const body = bodyOf(fields, vector.params_text);
		expect(ask(body)).toMatchObject({ ok: false, reason: 'signature_mismatch' });
	});
});
