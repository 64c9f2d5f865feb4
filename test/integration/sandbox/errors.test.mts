import { ERROR_ROWS } from '../../../dev/sandbox/api/errorTable.mts';
import type { IntegrationConfig, Sandbox } from '../../../dev/sandbox/index.mts';
import { throughout } from '../../helpers/throughout.mts';
import { COLLECTION, defaultOf, LINK, PATHS, send, signed, start, token } from './client.mts';

const account = (id: string, kind: IntegrationConfig['account']): IntegrationConfig => ({
	id,
	title: `Shop ${id}`,
	clientId: `client-${id}`,
	secretKey: `secret-${id}`,
	account: kind,
});

const integrations = [
	account('active', 'active'),
	account('userless', 'userMissing'),
	account('serviceless', 'serviceUserMissing'),
];

const sandbox = throughout(async () => await start({ integrations }));
/** With whole lines and HTTP statuses. */
const other = throughout(
	async () => await start({ integrations, fullMessages: true, errorStatus: 'http' }),
);
afterAll(() => expect(sandbox.state.ledger.accepted).toBe(0));

const CHANGED = {
	integration: { sender: 'Nobody' },
	client: { client_id: 'nobody' },
	signature: { signature: '0'.repeat(64) },
};
type Case = keyof typeof CHANGED | 'userless' | 'serviceless' | 'params' | 'country';

const PARAMS: Record<string, object> = {
	[PATHS.statusV2]: { id: 'none' },
	[PATHS.statusV3]: { id: 'none', type: 'payin' },
	[PATHS.collection]: COLLECTION,
	[PATHS.link]: LINK,
	[PATHS.balance]: {},
};

/** A request that fails for exactly one reason. */
function provoke(on: Sandbox, path: string, failure: Case) {
	const integration = on.integrations.find(({ id }) => id === failure) ?? defaultOf(on);
	const isCreate = path === PATHS.collection || path === PATHS.link;
	const params = {
		...PARAMS[path],
		...(failure === 'params' && isCreate && { currency: 'EUR' }),
		...(failure === 'country' && { country_id: 99 }),
	};
	const changed = CHANGED[failure as keyof typeof CHANGED];
	return signed(on, path, params, { integration, changed });
}

const LINES = ERROR_ROWS.map(({ message }) => message);
const [BAD_STATUS = '', UNVERIFIED = '', BAD_COLLECTION = '', , , BAD_LINK = ''] = LINES;
const NO_RECORD = 'Entity integration record not found';

/** The specification's table: line, the alternative that applies, HTTP status where it shows one. */
const TABLE: [path: string, failure: Case, line: string, message: string, status: number][] = [
	[PATHS.statusV2, 'serviceless', BAD_STATUS, 'Service user not found', 400],
	[PATHS.statusV2, 'params', BAD_STATUS, 'Transaction was not created!', 400],
	[PATHS.statusV2, 'integration', UNVERIFIED, NO_RECORD, 403],
	[PATHS.statusV2, 'client', UNVERIFIED, 'Client id not matched', 403],
	[PATHS.statusV2, 'signature', UNVERIFIED, 'Request was not verified.', 403],
	[PATHS.collection, 'serviceless', BAD_COLLECTION, 'Service user not found', 200],
	[PATHS.collection, 'country', BAD_COLLECTION, 'Country was not found', 200],
	[PATHS.collection, 'params', BAD_COLLECTION, 'Transaction was not created!', 200],
	[PATHS.collection, 'integration', UNVERIFIED, NO_RECORD, 200],
	[PATHS.collection, 'client', UNVERIFIED, 'Client id not matched', 200],
	[PATHS.collection, 'signature', UNVERIFIED, 'Request was not verified.', 200],
	[PATHS.collection, 'userless', 'User not found!', 'User not found!', 200],
	[PATHS.link, 'params', BAD_LINK, BAD_LINK, 200],
	[PATHS.link, 'country', BAD_LINK, BAD_LINK, 200],
	[PATHS.link, 'integration', `${NO_RECORD}.`, `${NO_RECORD}.`, 200],
	[PATHS.balance, 'userless', 'User not found.', 'User not found.', 200],
	[PATHS.balance, 'integration', `${UNVERIFIED}.`, NO_RECORD, 200],
	[PATHS.balance, 'client', `${UNVERIFIED}.`, 'Client id not matched', 200],
	[PATHS.balance, 'signature', `${UNVERIFIED}.`, 'Request was not verified..', 200],
];

it.each(TABLE)(
	'the specification’s error: %s, %s',
	async (path, failure, line, message, status) => {
		const bodyOf = (text: string) =>
			path === PATHS.balance
				? { success: 'false', message: text, data: [] }
				: { success: false, message: text };
		const reply = await provoke(sandbox, path, failure);
		expect([reply.status, reply.json]).toEqual([status, bodyOf(message)]);
		expect(reply.headers['content-type']).toMatch(/^application\/json/);
		const whole = await provoke(other, path, failure);
		expect([whole.status, whole.json]).toEqual([failure in CHANGED ? 403 : 400, bodyOf(line)]);
	},
);

it('lists links for known tokens of accounts with a user only', async () => {
	const userless = `Bearer ${await token(sandbox, sandbox.integrations[1])}`;
	for (const authorization of ['', 'Bearer 1|wrong', 'Basic x', userless]) {
		const { status, json } = await send(sandbox, PATHS.list, null, { authorization });
		expect([status, json]).toEqual([200, { success: false, message: 'User not found' }]);
	}
	const reply = await send(other, PATHS.list, null);
	expect(reply).toMatchObject({ status: 403, json: { message: 'User not found' } });
});
