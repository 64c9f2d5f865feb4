import type { Integration } from '../integrations.mts';
import { issuesOf, unsignedEnvelope } from '../protocol/envelope.mts';
import { rawMember } from '../protocol/rawMember.mts';
import { fieldsFor, sameText, sign, textToSign } from '../protocol/signature.mts';
import { refusalAnswer, plainRefusal, type Endpoint } from './endpoint.mts';

const REPLY: Record<Integration['signatureReply'], (signature: string) => object> = {
	signature: (signature) => ({ signature }),
	'data.signature': (signature) => ({ data: { signature } }),
	data: (signature) => ({ data: signature }),
};

/** The specification names only the path. The sandbox takes the envelope without a signature, and the secret key. */
export const serviceSignature: Endpoint = {
	name: 'signature',
	method: 'POST',
	path: '/api/service-signature',
	refusalBody: plainRefusal,
	handle({ json, body }, world) {
		const parsed = unsignedEnvelope.safeParse(json);
		if (!parsed.success)
			return { ...refusalAnswer(world, 'signature', 'verification'), note: issuesOf(parsed.error) };
		const { secret_key, ...fields } = parsed.data;
		const byTitle = world.settings.integrations.filter(({ title }) => title === fields.sender);
		if (byTitle.length === 0) return refusalAnswer(world, 'signature', 'integration');
		const integration = byTitle.find(({ clientId }) => clientId === fields.client_id);
		if (integration === undefined) return refusalAnswer(world, 'signature', 'client');
		if (!sameText(integration.secretKey, secret_key))
			return { ...refusalAnswer(world, 'signature', 'verification'), integration: integration.id };
		const { signature: recipe, secretKey, signatureReply } = integration;
		const params = rawMember(body, 'params') ?? '';
		const text = textToSign(recipe.template, fieldsFor(recipe, { ...fields, params }));
		return {
			status: 200,
			body: {
				success: true,
				message: 'Signature generated.',
				...REPLY[signatureReply](sign(text, secretKey, recipe)),
			},
			integration: integration.id,
		};
	},
};
