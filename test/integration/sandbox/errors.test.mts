import type { IntegrationConfig, Sandbox } from '../../../sandbox/index.mts';
import { COLLECTION, defaultOf, LINK, PATHS, send, signed, start, token } from './client.mts';

const account = (id: string, account: IntegrationConfig['account']): IntegrationConfig => ({
	id,
	title: `Shop ${id}`,
	clientId: `client-${id}`,
	secretKey: `secret-${id}`,
	account,
});

const INTEGRATIONS = [
	account('active', 'active'),
	account('userless', 'userMissing'),
	account('serviceless', 'serviceUserMissing'),
];

type Case =
	'integration' | 'client' | 'signature' | 'userless' | 'serviceless' | 'params' | 'country';

const PARAMS: Record<string, Record<string, unknown>> = {
	[PATHS.statusV2]: { id: 'none' },
	[PATHS.statusV3]: { id: 'none', type: 'payin' },
	[PATHS.collection]: COLLECTION,
	[PATHS.link]: LINK,
	[PATHS.balance]: {},
};

/** A request that fails for exactly one reason. */
function provoke(sandbox: Sandbox, path: string, failure: Case) {
	const integration = sandbox.integrations.find(({ id }) => id === failure) ?? defaultOf(sandbox);
	const changed = {
		integration: { sender: 'Nobody' },
		client: { client_id: 'nobody' },
		signature: { signature: '0'.repeat(64) },
	}[failure as string];
	const params = { ...PARAMS[path] };
	if (failure === 'params' && (path === PATHS.collection || path === PATHS.link))
		params.currency = 'EUR';
	if (failure === 'country') params.country_id = 99;
	return signed(sandbox, path, params, { integration, changed });
}

const VERIFICATION =
	'Entity integration record not found or Client id not matched or Request was not verified.';
const BAD_STATUS = 'Service user not found or Transaction was not created!';
const BAD_COLLECTION =
	'Service user not found or Country was not found or Transaction was not created!';

/** The specification's table: line, the alternative that applies, HTTP status where it shows one. */
const TABLE: [path: string, failure: Case, line: string, message: string, status: number][] = [
	[PATHS.statusV2, 'serviceless', BAD_STATUS, 'Service user not found', 400],
	[PATHS.statusV2, 'params', BAD_STATUS, 'Transaction was not created!', 400],
	[PATHS.statusV2, 'integration', VERIFICATION, 'Entity integration record not found', 403],
	[PATHS.statusV2, 'client', VERIFICATION, 'Client id not matched', 403],
	[PATHS.statusV2, 'signature', VERIFICATION, 'Request was not verified.', 403],
	[PATHS.collection, 'serviceless', BAD_COLLECTION, 'Service user not found', 200],
	[PATHS.collection, 'country', BAD_COLLECTION, 'Country was not found', 200],
	[PATHS.collection, 'params', BAD_COLLECTION, 'Transaction was not created!', 200],
	[PATHS.collection, 'integration', VERIFICATION, 'Entity integration record not found', 200],
	[PATHS.collection, 'client', VERIFICATION, 'Client id not matched', 200],
	[PATHS.collection, 'signature', VERIFICATION, 'Request was not verified.', 200],
	[PATHS.collection, 'userless', 'User not found!', 'User not found!', 200],
	[PATHS.link, 'params', 'Payment link was not created.', 'Payment link was not created.', 200],
	[PATHS.link, 'country', 'Payment link was not created.', 'Payment link was not created.', 200],
	[
		PATHS.link,
		'integration',
		'Entity integration record not found.',
		'Entity integration record not found.',
		200,
	],
	[PATHS.balance, 'userless', 'User not found.', 'User not found.', 200],
	[PATHS.balance, 'integration', `${VERIFICATION}.`, 'Entity integration record not found', 200],
	[PATHS.balance, 'client', `${VERIFICATION}.`, 'Client id not matched', 200],
	[PATHS.balance, 'signature', `${VERIFICATION}.`, 'Request was not verified..', 200],
];

const bodyFor = (path: string, message: string) =>
	path === PATHS.balance ? { success: 'false', message, data: [] } : { success: false, message };

describe('the error table of the specification', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await start({ integrations: INTEGRATIONS });
	});
	afterAll(() => sandbox.close());

	it.each(TABLE)('%s, %s', async (path, failure, _line, message, status) => {
		const reply = await provoke(sandbox, path, failure);
		expect(reply.json).toEqual(bodyFor(path, message));
		expect(reply.status).toBe(status);
		expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
	});

	it('lists links for known tokens only', async () => {
		for (const authorization of ['', 'Bearer 1|wrong', 'Basic x']) {
			const reply = await send(sandbox, PATHS.list, null, { authorization });
			expect(reply).toMatchObject({
				status: 200,
				json: { success: false, message: 'User not found' },
			});
		}
	});

	it('lists no links of an account whose user is missing', async () => {
		const userless = sandbox.integrations[1];
		const authorization = `Bearer ${await token(sandbox, userless)}`;
		const reply = await send(sandbox, PATHS.list, null, { authorization });
		expect(reply.json).toEqual({ success: false, message: 'User not found' });
	});

	it('accepted nothing', () => {
		expect(sandbox.state.ledger.accepted).toBe(0);
	});
});

describe('with whole lines and HTTP statuses', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await start({ integrations: INTEGRATIONS, fullMessages: true, errorStatus: 'http' });
	});
	afterAll(() => sandbox.close());

	it.each(TABLE)('%s, %s', async (path, failure, line) => {
		const reply = await provoke(sandbox, path, failure);
		expect(reply.json).toEqual(bodyFor(path, line));
		const isVerification = ['integration', 'client', 'signature'].includes(failure);
		expect(reply.status).toBe(isVerification ? 403 : 400);
	});

	it('refuses the list with 403', async () => {
		const reply = await send(sandbox, PATHS.list, null);
		expect(reply).toMatchObject({ status: 403, json: { message: 'User not found' } });
	});
});

describe('errors the specification does not show', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await start({ integrations: INTEGRATIONS });
	});
	afterAll(() => sandbox.close());

	it.each<[Case, string]>([
		['serviceless', 'Service user not found'],
		['userless', 'Service user not found'],
		['params', 'Transaction was not created!'],
		['integration', 'Entity integration record not found'],
		['client', 'Client id not matched'],
		['signature', 'Request was not verified.'],
	])('v3 status uses the words of v2: %s', async (failure, message) => {
		const reply = await provoke(sandbox, PATHS.statusV3, failure);
		expect(reply).toMatchObject({ status: 200, json: { success: false, message } });
	});

	it('refuses an unverified link without naming a reason', async () => {
		const reply = await provoke(sandbox, PATHS.link, 'signature');
		expect(reply.json).toEqual({ success: false, message: 'Payment link was not created.' });
	});

	it.each([
		[{ client_id: 'nobody', secret_key: 'x' }, 'Entity integration record not found'],
		[{ client_id: 'client-active', secret_key: 'x' }, 'Request was not verified.'],
		[{ client_id: 'client-active' }, 'Request was not verified.'],
		[{ client_id: 1, secret_key: 'x' }, 'Request was not verified.'],
		[[], 'Request was not verified.'],
	])('get token %j', async (body, message) => {
		const reply = await send(sandbox, PATHS.token, JSON.stringify(body));
		expect(reply.json).toEqual({ success: false, message });
	});

	it.each([
		[{ sender: 'Nobody' }, 'Entity integration record not found'],
		[{ client_id: 'nobody' }, 'Client id not matched'],
		[{ secret_key: 'wrong' }, 'Request was not verified.'],
		[{ signature: 'already there' }, 'Request was not verified.'],
		[{ params: null }, 'Request was not verified.'],
	])('signing endpoint %j', async (changed, message) => {
		const body = {
			client_id: 'client-active',
			sender: 'Shop active',
			secret_key: 'secret-active',
			timestamp: 1,
			salt: 's',
			params: {},
			...changed,
		};
		const reply = await send(sandbox, PATHS.signature, JSON.stringify(body));
		expect(reply.json).toEqual({ success: false, message });
	});
});
