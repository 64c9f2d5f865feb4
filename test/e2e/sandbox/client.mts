import { createHmac, randomBytes } from 'node:crypto';
import type { Sandbox } from '../../../sandbox/index.mts';

export type Params = Record<string, unknown>;

export interface Reply {
	success: boolean;
	message: string;
	data: { link?: string; reference?: string };
}

/** What a request is made with; tests and demonstrations replace parts of it. */
interface Caller {
	clientId: string;
	title: string;
	secretKey: string;
	/** Unix seconds. */
	timestamp: number;
}

/** Signs on its own, because with the package's signer both sides could share a bug. */
export async function post(
	sandbox: Sandbox,
	path: string,
	params: Params,
	caller: Partial<Caller> = {},
): Promise<Reply> {
	const now = Math.floor(Date.now() / 1000);
	const { clientId, title, secretKey, timestamp } = {
		...first(sandbox),
		timestamp: now,
		...caller,
	};
	const salt = randomBytes(8).toString('hex');
	const text = JSON.stringify(params);
	const signature = createHmac('sha256', secretKey)
		.update(`${clientId}|${title}|${timestamp}|${salt}|${text}`)
		.digest('hex');
	const envelope = { client_id: clientId, sender: title, timestamp, salt, signature };
	const response = await fetch(`${sandbox.url}${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: `${JSON.stringify(envelope).slice(0, -1)},"params":${text}}`,
	});
	return (await response.json()) as Reply;
}

export function first(sandbox: Sandbox): Omit<Caller, 'timestamp'> {
	const [integration] = sandbox.integrations;
	if (!integration) throw new Error('The sandbox has no integration');
	return integration;
}

export const LINK = {
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
	caller: Partial<Caller> = {},
): Promise<CreatedLink> {
	const reply = await post(
		sandbox,
		'/api/v3/payment-link-api/create',
		{ ...LINK, ...more },
		caller,
	);
	if (!reply.success) throw new Error(`No link was created: ${reply.message}`);
	const { link = '', reference = '' } = { ...sandbox.state.links[0], ...reply.data };
	return { link, reference };
}

export const collect = (
	sandbox: Sandbox,
	more: Params = {},
	caller: Partial<Caller> = {},
): Promise<Reply> =>
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
