import { call, type Reply as Answer } from '../../../dev/host/shared/http.mts';
import { until as poll } from '../../../dev/host/shared/until.mts';
import type { Integration, Sandbox, SandboxOptions } from '../../../dev/sandbox/index.mts';
import { startSandbox } from '../../../dev/sandbox/index.mts';
import { first as defaultOf, seal } from '../../e2e/sandbox/client.mts';

export { first as defaultOf, seal } from '../../e2e/sandbox/client.mts';

export const PATHS = {
	token: '/api/integration/get-token',
	link: '/api/v3/payment-link-api/create',
	list: '/api/payment-link-api/list',
	collection: '/api/v3/service-unified-collections',
	statusV2: '/api/v2/get-unified-transaction-status',
	statusV3: '/api/v3/get-unified-transaction-status',
	balance: '/api/v3/get-unified-balance',
	signature: '/api/service-signature',
} as const;

export const LINK = {
	business_name: 'Savanna Coffee',
	item_name: 'Beans',
	amount: '2500.50',
	currency: 'KES',
	country_id: 1,
};

export const COLLECTION = { amount: 500, mobile: '254712345678', country_id: 1, currency: 'KES' };

export interface Reply extends Answer {
	json: Record<string, unknown>;
}

const running = new Set<Sandbox>();
afterAll(() => Promise.all([...running].map((sandbox) => sandbox.close())));

/** With fast settings, on a free port. It is closed after the tests of the file. */
export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({
		settleDelayMs: 20,
		lateReplyMs: 50,
		callbackRetry: { attempts: 3, firstDelayMs: 10, factor: 2 },
		...options,
	});
	running.add(sandbox);
	return sandbox;
}

export async function send(
	sandbox: Sandbox,
	path: string,
	body: string | Buffer | null,
	headers: Record<string, string> = {},
	method = body === null ? 'GET' : 'POST',
): Promise<Reply> {
	const reply = await call(sandbox.url + path, { method, body: body ?? undefined, headers });
	let json: Record<string, unknown> = {};
	try {
		json = JSON.parse(reply.text) as Record<string, unknown>;
	} catch {
		// Some faults answer with something else; the test looks at the text then.
	}
	return { ...reply, json };
}

export const signed = (
	sandbox: Sandbox,
	path: string,
	params: unknown,
	{
		integration = defaultOf(sandbox),
		changed = {},
		headers = {},
	}: {
		integration?: Integration;
		changed?: Record<string, unknown>;
		headers?: Record<string, string>;
	} = {},
): Promise<Reply> =>
	send(sandbox, path, seal(integration, JSON.stringify(params), changed), headers);

/** Creates, and gives the reference; only in rich mode does the reply tell it. */
const creating =
	(path: string, usual: object) =>
	async (sandbox: Sandbox, params: object = {}): Promise<string> => {
		const { json } = await signed(sandbox, path, { ...usual, ...params });
		expect(json).toMatchObject({ success: true });
		return (json.data as { reference: string }).reference;
	};
export const createLink = creating(PATHS.link, LINK);
export const collect = creating(PATHS.collection, COLLECTION);

export const admin = (sandbox: Sandbox, method: string, path: string, body?: unknown) =>
	send(sandbox, `/sandbox${path}`, body === undefined ? null : JSON.stringify(body), {}, method);

/** Looks again and again until there is something to see. */
export const until = async <T,>(look: () => T | undefined | false): Promise<T> =>
	await poll(look.toString(), async () => look() || undefined, { everyMs: 5 });

export const token = async (sandbox: Sandbox, of = defaultOf(sandbox)): Promise<string> => {
	const body = JSON.stringify({ client_id: of.clientId, secret_key: of.secretKey });
	const { json } = await send(sandbox, PATHS.token, body);
	return (json.data as { token: string }).token;
};

export const listed = async (
	sandbox: Sandbox,
	of = defaultOf(sandbox),
): Promise<Record<string, unknown>[]> => {
	const authorization = `Bearer ${await token(sandbox, of)}`;
	return (await send(sandbox, PATHS.list, null, { authorization })).json.data as never;
};
