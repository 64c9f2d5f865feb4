import { createHmac, randomBytes } from 'node:crypto';
import { call } from '../../../dev/host/shared/http.mts';
import type { Integration, Sandbox } from '../../../dev/sandbox/index.mts';

export type Params = Record<string, unknown>;

interface Reply {
	success: boolean;
	message: string;
	data: { link?: string; reference?: string };
}

/** What a request is made with, as far as it is not the demo's own. */
type Caller = Partial<Integration> & { timestamp?: number };

export function first(sandbox: Sandbox): Integration {
	const [integration] = sandbox.integrations;
	if (!integration) throw new Error('The sandbox has no integration');
	return integration;
}

/**
 * An envelope by the description of the recipe, without the package's signer and the sandbox's: both
 * sides could share a bug. What is `changed` was not signed.
 */
export function seal(
	{ clientId, title, secretKey, signature }: Integration,
	params: string,
	changed: Params = {},
	timestamp = Math.floor(Date.now() / 1000),
): string {
	const salt = randomBytes(16).toString('hex');
	const fields = { client_id: clientId, sender: title, timestamp, salt };
	const text = [...Object.values(fields), params].join('|');
	const signed = createHmac(signature.algorithm, secretKey).update(text).digest(signature.encoding);
	const head = JSON.stringify({ ...fields, signature: signed, ...changed });
	return `${head.slice(0, -1)},"params":${params}}`;
}

export async function post(
	sandbox: Sandbox,
	path: string,
	params: Params,
	{ timestamp, ...caller }: Caller = {},
): Promise<Reply> {
	const { text } = await call(`${sandbox.url}${path}`, {
		method: 'POST',
		body: seal({ ...first(sandbox), ...caller }, JSON.stringify(params), {}, timestamp),
	});
	return JSON.parse(text) as Reply;
}

const LINK = {
	business_name: 'Savanna Coffee',
	item_name: 'Beans, 1 kg',
	currency: 'KES',
	amount: '2500',
	country_id: 1,
	first_name: 'Amina',
	last_name: 'Otieno',
	email: 'amina@example.com',
	phone: '254712345678',
};

export interface CreatedLink {
	link: string;
	reference: string;
}

export async function createLink(
	sandbox: Sandbox,
	more: Params = {},
	caller: Caller = {},
): Promise<CreatedLink> {
	const path = '/api/v3/payment-link-api/create';
	const reply = await post(sandbox, path, { ...LINK, ...more }, caller);
	if (!reply.success) throw new Error(`No link was created: ${reply.message}`);
	const { link = '', reference = '' } = { ...sandbox.state.links[0], ...reply.data };
	return { link, reference };
}

export const collect = (sandbox: Sandbox, more: Params = {}, caller: Caller = {}): Promise<Reply> =>
	post(
		sandbox,
		'/api/v3/service-unified-collections',
		{
			amount: 1200,
			mobile: '254712345678',
			country_id: 1,
			currency: 'KES',
			payment_method_type: 'send money',
			third_party_reference_1: 'order-17',
			...more,
		},
		caller,
	);

export const balance = (sandbox: Sandbox, currency = 'KES'): number | undefined =>
	sandbox.state.wallets.find(
		(wallet) => wallet.integration === sandbox.integrations[0]?.id && wallet.currency === currency,
	)?.balance;
