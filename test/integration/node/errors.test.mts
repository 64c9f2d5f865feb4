import type { INodeParameters } from 'n8n-workflow';

import {
	BALANCE,
	COLLECT,
	demoCredential,
	LINK,
	outcomes,
	runPayments,
	type RunOptions,
} from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const STATUS = { resource: 'transaction', operation: 'get', reference: 'R1' };
const STATUS_V2 = { ...STATUS, apiVersion: 'v2' };
const LIST = { resource: 'paymentLink', operation: 'getAll' };
const TOKEN = { resource: 'token', operation: 'get' };

const INTEGRATION =
	'Entity integration record not found or Client id not matched or Request was not verified.';

/** The error table of the specification, row by row, with a word of the hint that belongs to it. */
const TABLE: Array<[parameters: INodeParameters, message: string, status: number, hint: RegExp]> = [
	[STATUS_V2, 'Service user not found or Transaction was not created!', 400, /account is active/],
	[STATUS_V2, INTEGRATION, 403, /Secret Key/],
	[
		COLLECT,
		'Service user not found or Country was not found or Transaction was not created!',
		200,
		/Country/,
	],
	[COLLECT, INTEGRATION, 200, /Client ID/],
	[COLLECT, 'User not found!', 200, /account is active/],
	[LINK, 'Payment link was not created.', 200, /web addresses/],
	[LINK, 'Entity integration record not found.', 200, /Base URL/],
	[BALANCE, 'User not found.', 200, /account is active/],
	[BALANCE, `${INTEGRATION}.`, 200, /Signature Template/],
	[LIST, 'User not found', 200, /account is active/],
];

let answer: { status: number; body: unknown };
const TOKEN_REPLY = { success: true, message: 'ok', data: { token: '1|canary' } };

const wire = throughout(
	async () =>
		await startWire(({ path }, response) =>
			path.endsWith('get-token') && answer.body !== NO_TOKEN
				? json(response, 200, TOKEN_REPLY)
				: json(response, answer.status, answer.body),
		),
);
const NO_TOKEN = { success: true, message: 'ok', data: {} };

beforeEach(() => {
	wire.received.length = 0;
});

const run = async (
	parameters: INodeParameters,
	{ account, ...more }: Partial<RunOptions> & { account?: object } = {},
) =>
	await runPayments(parameters, { credential: demoCredential(wire.url, { ...account }), ...more });
const errorOf = async (...given: Parameters<typeof run>) => (await run(...given)).nodeError;
const toErrorOutput = { onError: 'continueErrorOutput' } as const;

describe.each(TABLE)('$operation answered with "%s" (%i)', (parameters, message, status, hint) => {
	it.each([status, 400, 403])('shows the words, the status %i and a hint', async (code) => {
		answer = { status: code, body: { success: false, message, data: [] } };
		const error = await errorOf(parameters);
		expect(error?.message).toContain(message);
		expect(error?.message).toContain(`(HTTP ${code})`);
		expect(error?.message).toMatch(/\[Item 0\]$/);
		expect(error?.description).toMatch(hint);
		expect(error).toMatchObject({ httpCode: String(code) });
	});

	it('understands success as text', async () => {
		answer = { status: 200, body: { success: 'false', message } };
		expect((await errorOf(parameters))?.message).toContain(message);
	});
});

it.each([
	['a token', TOKEN, NO_TOKEN],
	['a list', LIST, { success: true, message: 'ok', data: {} }],
	['a list of balances', BALANCE, { success: 'true', message: 'ok', data: null }],
	['a record', STATUS, { success: true, message: 'ok', data: [] }],
])('says so when a reply holds no %s', async (_, parameters, body) => {
	answer = { status: 200, body };
	expect((await errorOf(parameters))?.message).toMatch(/^The reply to the .* could not be read/);
});

it('does not believe a status about another reference', async () => {
	const data = { ref: 'R2', status: 'success' };
	answer = { status: 200, body: { success: true, message: 'ok', data } };
	expect((await errorOf(STATUS))?.message).toMatch(/another 'ref' than was sent/);
});

/** A message without the words for the row that it is about. */
const withoutPlace = (message = ''): string =>
	message.replace(/ in (?:this item|(?:the row of|order) [^"]*?)(?= is | [[])/, '');

describe('bad input', () => {
	const collect = (changes: INodeParameters) => ({ ...COLLECT, ...changes });
	const link = (changes: INodeParameters) => ({ ...LINK, ...changes });
	const more = (additionalFields: INodeParameters) => ({ ...LINK, additionalFields });

	// The rules of each field are in test/unit/fields; this is how users hear of them.
	it.each<[message: string, parameters: INodeParameters, hint: RegExp]>([
		[
			`'Amount' is "10.5", but XOF has no decimals`,
			link({ country: 'BJ', amount: '10.5' }),
			/whole number of XOF/,
		],
		["'Amount' is missing", collect({ amount: '={{ "" }}' }), /positive/],
		[
			`'Country' is "SN", where the service marks collections as not supported`,
			collect({ country: 'SN', mobile: '771234567' }),
			/^Choose one of Kenya, Tanzania, Uganda, Zambia, Sierra Leone, or turn on 'Allow Unsupported Country'/,
		],
		[
			`'Currency Name or ID' is "GHS", but Kenya collects in KES`,
			collect({ currency: 'GHS' }),
			/Automatic/,
		],
		[
			`'Currency Country' is "KE", which does not use XOF`,
			{ ...more({ currencyCountry: 'KE' }), country: 'CI' },
			/Benin or Cote D'Ivoire or Senegal/,
		],
		[
			`'Mobile' is "+256712345678", which is a number of Uganda, not of Kenya`,
			collect({ mobile: '+256712345678' }),
			/Choose Uganda/,
		],
		[
			`'Logo Binary Field' is "photo", which is not a file of this row`,
			more({ logoBinaryProperty: 'photo' }),
			/binary field/,
		],
		[`'API Version' is "v9", which is not a choice`, { ...STATUS, apiVersion: 'v9' }, /v3, v2/],
		[
			"'Concurrency' is 0, which is not a whole number from 1 to 50",
			collect({ options: { concurrency: 0 } }),
			/1 to 50/,
		],
	])('%s: nothing is sent', async (message, parameters, hint) => {
		const error = await errorOf(parameters);
		expect(withoutPlace(error?.message)).toBe(`${message} [Item 0]`);
		expect(error?.description).toMatch(hint);
		expect(wire.received).toHaveLength(0);
	});

	it('names every bad field of a row', async () => {
		const error = await errorOf({ ...more({ email: 'x' }), amount: 0, callbackUrl: 'y' });
		expect(withoutPlace(error?.message)).toMatch(/^'Amount' is 0, which is not positive/);
		expect(error?.description).toMatch(/Also: 'Callback URL' in .* is "y".*Also: 'Customer Email'/);
	});

	it('in one row of many stops the run before the first is sent', async () => {
		const error = await errorOf(COLLECT, { items: [1, 2, -3].map((amount) => ({ amount })) });
		expect(withoutPlace(error?.message)).toBe("'Amount' is -3, which is not positive [Item 2]");
		expect(error?.description).toMatch(/In all: items 1-3 of the input not sent\./);
		expect(wire.received).toHaveLength(0);
	});
});

it.each([
	['a create', COLLECT, 'not_sent'],
	['a read', BALANCE, null],
])('an expression that cannot be read is told on the error output: %s', async (_, of, outcome) => {
	const options = { timeoutSeconds: "={{ $('Nowhere').item.json.a }}" };
	const result = await run({ ...of, options }, { items: [{ a: 1 }], ...toErrorOutput });
	expect(result.success).toHaveLength(0);
	const message = expect.stringMatching(/^.*tem could not be read: /) as string;
	expect(result.failedJson).toMatchObject([{ a: 1, error: { message, outcome } }]);
	expect(wire.received).toHaveLength(0);
});

describe('a bad credential', () => {
	it.each([
		['Base URL', { baseUrl: 'payments.example.com' }],
		['Base URL', { baseUrl: '' }],
		['Sender', { sender: '' }],
		['Signature Template', { signatureTemplate: '{client_id}{nonce}' }],
		['API Key Header', { apiKeyHeader: 'no header' }],
	])("names '%s'", async (label, account) => {
		expect((await errorOf(BALANCE, { account }))?.message).toContain(`The credential's '${label}'`);
		expect(wire.received).toHaveLength(0);
	});

	it('that is missing is told per row on the error output', async () => {
		const items = [{ a: 1 }, { a: 2 }];
		const result = await run(COLLECT, { credential: { baseUrl: '' }, items, ...toErrorOutput });
		expect(result.success).toHaveLength(0);
		expect(result.failedJson).toMatchObject(items);
	});
});

describe('a signing endpoint that gives no signature', () => {
	const NONE = /the signing endpoint gave no signature/;
	const no = (message: string) => ({ success: false, message });

	it.each([
		[200, { success: true, message: 'ok', data: {} }, 'not_sent', NONE],
		[500, {}, 'not_sent', NONE],
		[503, no('Down'), 'not_sent', NONE],
		[200, no('User not found!'), 'rejected', /User not found!/],
		[400, no('Please try again later'), 'rejected', /Please try again later/],
		[401, {}, 'rejected', /not authorize/],
		[403, no('Who?'), 'rejected', /Who\?/],
		[403, '<html>', 'rejected', /not authorize/],
		[409, no('Being processed'), 'not_sent', NONE],
	])('but a %d with %j: nothing is sent, %s', async (status, body, outcome, words) => {
		answer = { status, body };
		const account = { signatureSource: 'endpoint' };
		const result = await run(COLLECT, { account, ...toErrorOutput });
		expect(outcomes(result)).toEqual([outcome]);
		expect(JSON.stringify(result.failedJson)).toMatch(words);
		const paths = new Set(wire.received.map(({ path }) => path));
		expect([...paths]).toEqual(['/api/service-signature']);
	});
});
