import { authorize } from '../../nodes/UnifiedPayments/protocol/authorize.ts';
import { readCredential } from '../../nodes/UnifiedPayments/protocol/credential.ts';
import { likelyRecipes, withSortedParams } from '../../nodes/UnifiedPayments/protocol/recipes.ts';
import type { SignatureRecipe } from '../../nodes/UnifiedPayments/protocol/signing.ts';
import { findSignature, type Search } from '../../nodes/UnifiedPayments/transport/findSignature.ts';
import { verdictOf } from '../../nodes/UnifiedPayments/transport/verdict.ts';
import { call } from '../../dev/host/shared/http.mts';
import { DEMO_INTEGRATIONS, startSandbox } from '../../dev/sandbox/index.mts';
import { resolveOptions } from '../../dev/sandbox/options.mts';
import { demoCredential } from './payments.mts';

/** One that is text, one that may be bytes in hexadecimal or base64, one in base64 only. */
export const KEYS = [
	'a secret key, as text',
	'00112233445566778899aabbccddeeff',
	'qL8R4QIcQ/ZsRqOAbeRfcQ==',
] as const;

/** Every recipe that a search can end with. */
export const findable = (secretKey: string): SignatureRecipe[] =>
	likelyRecipes(secretKey).flatMap((recipe) =>
		recipe.template.includes('{params}') ? [recipe, withSortedParams(recipe)] : [recipe],
	);

type Played = ReturnType<typeof resolveOptions>['integrations'][number]['signature'];

/** The same recipe in the words of the sandbox. */
export const played = ({ template, algorithm, encoding }: SignatureRecipe): Played => ({
	template: template
		.replace(/\{key_\w+\}/, '')
		.replace('{timestamp_ms}', '{timestamp}')
		.replace('{params_sorted}', '{params}'),
	algorithm,
	encoding,
	params: template.includes('{params_sorted}') ? 'sorted' : 'asSent',
	timestamp: template.includes('{timestamp_ms}') ? 'milliseconds' : 'seconds',
	key: template.includes('{key_hex}')
		? 'hex'
		: template.includes('{key_base64}')
			? 'base64'
			: 'text',
});

/** Two recipes with the same name sign everything alike. */
export const nameOf = (recipe: Played): string =>
	JSON.stringify([
		recipe.template,
		recipe.algorithm,
		recipe.encoding,
		recipe.key,
		recipe.template.includes('{params}') && recipe.params,
		recipe.template.includes('{timestamp}') && recipe.timestamp,
	]);

/** What a sandbox draws with this seed. */
export const drawn = (seed: number, secretKey: string): Played => {
	const [demo] = DEMO_INTEGRATIONS;
	return resolveOptions({ signature: seed, integrations: [{ ...demo!, secretKey }] })
		.integrations[0]!.signature;
};

/** Looks for the recipe of a sandbox over HTTP, without pauses. */
export async function searchIn(
	recipe: Played,
	secretKey: string,
): Promise<Search & { requests: number }> {
	const [demo] = DEMO_INTEGRATIONS;
	const integrations = [{ ...demo!, secretKey }];
	const sandbox = await startSandbox({ signature: recipe, integrations });
	const credential = readCredential(demoCredential(sandbox.url, { secretKey }));
	let requests = 0;
	const ask = async (by: SignatureRecipe, params: object) => {
		requests++;
		const url = `${sandbox.url}/api/v3/get-unified-balance`;
		const request = { method: 'POST', url, body: params as unknown, headers: {} };
		const { body, headers } = authorize({ ...credential, recipe: by }, request, Date.now());
		const { status, text } = await call(url, { method: 'POST', body: String(body), headers });
		const answer = { kind: 'answered' as const, status, headers: {}, body: text };
		return verdictOf(answer, Date.now());
	};
	try {
		const first = await ask(credential.recipe, {});
		const search = await findSignature(
			credential.recipe,
			secretKey,
			first.ok ? null : first.failure,
			{ ask, pause: async () => {} },
		);
		return { ...search, requests };
	} finally {
		await sandbox.close();
	}
}
