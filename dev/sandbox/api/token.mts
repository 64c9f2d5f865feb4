import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { issuesOf } from '../protocol/envelope.mts';
import { sameText } from '../protocol/signature.mts';
import { refusalAnswer, plainRefusal, type Endpoint } from './endpoint.mts';

const credentials = z.object({ client_id: z.string(), secret_key: z.string() }).strict();

export const getToken: Endpoint = {
	name: 'token',
	method: 'POST',
	path: '/api/integration/get-token',
	refusalBody: plainRefusal,
	handle({ json }, world) {
		const parsed = credentials.safeParse(json);
		if (!parsed.success)
			return { ...refusalAnswer(world, 'token', 'verification'), note: issuesOf(parsed.error) };
		const { client_id, secret_key } = parsed.data;
		const integration = world.settings.integrations.find(({ clientId }) => clientId === client_id);
		if (integration === undefined) return refusalAnswer(world, 'token', 'integration');
		if (!sameText(integration.secretKey, secret_key))
			return { ...refusalAnswer(world, 'token', 'verification'), integration: integration.id };
		const { store } = world;
		// A numeric id, a separator and an opaque part, as in the specification's sample.
		const token = `${store.tokens.size + 1}|${randomBytes(30).toString('base64url')}`;
		store.addToken(token, integration.id);
		return {
			status: 200,
			body: { success: true, message: 'Credentials verified.', data: { token } },
			integration: integration.id,
		};
	},
};
