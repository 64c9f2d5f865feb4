import { receiveCallback } from '../../../nodes/UnifiedPayments/trigger/endpoint/receive.ts';
import { demoCredential } from '../../helpers/payments.mts';

const BODY = { ref: 'TX-1' };
const rawBody = Buffer.from(JSON.stringify(BODY));
let nodes = 0;

/** Calls the endpoint of a node of its own, and gives back all that came of it. */
async function call(
	request: Record<string, unknown>,
	{ host = {}, headers = {} as object, saved = {} } = {},
) {
	const lines: unknown[] = [];
	const said: unknown[] = [];
	const id = `node ${++nodes}`;
	const context = {
		getNode: () => ({ id, name: 'Paid', credentials: { unifiedPaymentsApi: { id: '1' } } }),
		getWorkflow: () => ({ id: 'w' }),
		getRequestObject: () => request,
		getResponseObject: () => ({
			status: (status: number) => ({ json: (body: object) => said.push(status, body) }),
		}),
		getBodyData: () => BODY,
		getHeaderData: () => ({ 'content-type': 'application/json', ...headers }),
		getQueryData: () => ({}),
		getWebhookName: () => 'default',
		getNodeParameter: (_: string, fallback: unknown) => fallback,
		getCredentials: async () => demoCredential('https://pay.example.com', saved),
		logger: { warn: (...line: unknown[]) => lines.push(...line) },
		...host,
	};
	const { workflowData, ...answer } = await receiveCallback.call(context as never);
	return { answer, lines, said, delivery: workflowData?.[0]?.[0]?.json };
}

const bodyOf = ({ delivery }: Awaited<ReturnType<typeof call>>) => delivery?.callback;

it('a callback is acknowledged, and its secret headers are not kept', async () => {
	const headers = { 'X-Signature': 's', 'X-Own-Key': 'k', 'x-other': 'o' };
	const called = await call(
		{ rawBody, ip: '::1' },
		{ headers, saved: { apiKeyHeader: 'x-own-key' } },
	);
	expect(called).toMatchObject({ answer: { webhookResponse: { accepted: true } }, said: [] });
	expect(bodyOf(called)).toMatchObject({
		body: BODY,
		headers: { 'content-type': 'application/json', 'x-other': 'o' },
	});
	expect(Object.keys((bodyOf(called) as { headers: object }).headers)).toHaveLength(2);
});

it('the bytes are read where the host has not read them, and only there', async () => {
	let reads = 0;
	const late: Record<string, unknown> = {
		readRawBody: async () => {
			reads++;
			late.rawBody ??= rawBody;
		},
	};
	expect(bodyOf(await call(late))).toMatchObject({ body: BODY });
	expect(bodyOf(await call(late))).toMatchObject({ body: BODY });
	expect(reads).toBe(1);
	expect((await call({})).said).toEqual([400, { accepted: false, reason: 'not_an_object' }]);
});

it.each<[string, unknown, string]>([
	['is away', new Error('The database is away'), 'The database is away'],
	['throws what is no error', 7, 'unknown'],
])('a host whose store %s asks to come again, and the log says why', async (_, thrown, cause) => {
	const getCredentials = async () => await Promise.reject(thrown);
	const { said, lines, answer } = await call({ rawBody }, { host: { getCredentials } });
	const reason = 'try_again_later';
	expect([...said, answer]).toEqual([
		500,
		{ accepted: false, reason },
		{ noWebhookResponse: true },
	]);
	expect(lines).toEqual([
		`Unified Payments Trigger refused a callback to "Paid" from unknown: ${reason} (${cause})`,
		{ reason, address: 'unknown', node: 'Paid', cause },
	]);
});

it('a refusal is told with its address, and without a cause where there is none', async () => {
	const { lines } = await call(
		{ rawBody, ip: '::1' },
		{ headers: { 'content-type': 'text/plain' } },
	);
	expect(lines).toEqual([
		'Unified Payments Trigger refused a callback to "Paid" from ::1: not_json',
		{ reason: 'not_json', address: '::1', node: 'Paid' },
	]);
});
