import type { INodeParameters } from 'n8n-workflow';

import { demoCredential, runPayments, startTapped } from '../../helpers/payments.mts';
import { json, startWire, type Wire } from '../../helpers/wire.mts';

const COLLECTION = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: 10,
	mobile: '0712345678',
};
const LINK = {
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: 10,
	businessName: 'Shop',
	itemName: 'Item',
};
const STATUS_V2 = { resource: 'transaction', operation: 'get', reference: 'R1', apiVersion: 'v2' };
const STATUS_V3 = { resource: 'transaction', operation: 'get', reference: 'R1' };
const BALANCE = { resource: 'balance', operation: 'get' };
const LIST = { resource: 'paymentLink', operation: 'getAll' };
const TOKEN = { resource: 'token', operation: 'get' };

const INTEGRATION =
	'Entity integration record not found or Client id not matched or Request was not verified.';

/** The error table of the specification, row by row, with a word of the hint that belongs to it. */
const TABLE: Array<[parameters: INodeParameters, message: string, status: number, hint: RegExp]> = [
	[STATUS_V2, 'Service user not found or Transaction was not created!', 400, /account is active/],
	[STATUS_V2, INTEGRATION, 403, /Secret Key/],
	[
		COLLECTION,
		'Service user not found or Country was not found or Transaction was not created!',
		200,
		/Country/,
	],
	[COLLECTION, INTEGRATION, 200, /Client ID/],
	[COLLECTION, 'User not found!', 200, /account is active/],
	[LINK, 'Payment link was not created.', 200, /web addresses/],
	[LINK, 'Entity integration record not found.', 200, /Base URL/],
	[BALANCE, 'User not found.', 200, /account is active/],
	[BALANCE, `${INTEGRATION}.`, 200, /Signature Template/],
	[LIST, 'User not found', 200, /account is active/],
];

let wire: Wire;
let answer: { status: number; body: unknown };

beforeAll(async () => {
	wire = await startWire(({ path }, response) => {
		if (path.endsWith('get-token') && answer.body !== 'token') {
			return json(response, 200, { success: true, message: 'ok', data: { token: '1|canary' } });
		}
		json(response, answer.status, answer.body);
	});
});

afterAll(async () => {
	await wire.close();
});

beforeEach(() => {
	wire.received.length = 0;
});

describe.each(TABLE)('%j answered with "%s" (%i)', (parameters, message, status, hint) => {
	it.each([status, 400, 403])('shows the words, the status %i and a hint', async (code) => {
		answer = { status: code, body: { success: false, message, data: [] } };
		const { nodeError, status: ended } = await runPayments(parameters, {
			credential: demoCredential(wire.url),
		});
		expect(ended).toBe('error');
		expect(nodeError?.message).toContain(message);
		expect(nodeError?.message).toContain(`(HTTP ${code})`);
		expect(nodeError?.message).toMatch(/\[Item 0\]$/);
		expect(nodeError?.description).toMatch(hint);
		expect(nodeError).toMatchObject({ httpCode: String(code) });
	});

	it('understands success as text', async () => {
		answer = { status: 200, body: { success: 'false', message } };
		const { nodeError } = await runPayments(parameters, { credential: demoCredential(wire.url) });
		expect(nodeError?.message).toContain(message);
	});
});

it.each([
	['a token', TOKEN, { success: true, message: 'ok', data: {} }],
	['a list', LIST, { success: true, message: 'ok', data: {} }],
	['a list of balances', BALANCE, { success: 'true', message: 'ok', data: null }],
	['a record', STATUS_V3, { success: true, message: 'ok', data: [] }],
])('says so when a reply holds no %s', async (_, parameters, body) => {
	answer = { status: 200, body };
	if (parameters === TOKEN) {
		const own = await startWire((__, response) => json(response, 200, body));
		const result = await runPayments(TOKEN, { credential: demoCredential(own.url) });
		expect(result.nodeError?.message).toMatch(/^The reply to the token could not be read/);
		return await own.close();
	}
	const { nodeError } = await runPayments(parameters, { credential: demoCredential(wire.url) });
	expect(nodeError?.message).toMatch(/^The reply to the .* could not be read/);
});

it('does not believe a status about another reference', async () => {
	answer = {
		status: 200,
		body: { success: true, message: 'ok', data: { ref: 'R2', status: 'success' } },
	};
	const { nodeError } = await runPayments(STATUS_V3, { credential: demoCredential(wire.url) });
	expect(nodeError?.message).toMatch(/another 'ref' than was sent/);
});

describe('bad input', () => {
	const bad: Array<[message: string, parameters: INodeParameters, hint: RegExp]> = [
		[
			`'Amount' in row 1 is "abc", which is not an amount`,
			{ ...COLLECTION, amount: 'abc' },
			/1500\.50/,
		],
		["'Amount' is missing in row 1", { ...COLLECTION, amount: '={{ "" }}' }, /positive/],
		[
			`'Amount' in row 1 is "10.5", but XOF has no decimals`,
			{ ...LINK, country: 'BJ', amount: '10.5' },
			/whole number of XOF/,
		],
		[
			`'Country' in row 1 is "Atlantis", which is not a country of this service`,
			{ ...COLLECTION, country: 'Atlantis' },
			/Kenya \(KE, id 1\)/,
		],
		[
			`'Country' in row 1 is "GH", where collections are not offered`,
			{ ...COLLECTION, country: 'GH' },
			/Zambia/,
		],
		[
			`'Country' in row 1 is "SN", where the service marks collections as not supported`,
			{ ...COLLECTION, country: 'SN', mobile: '771234567' },
			/^Choose one of Kenya, Tanzania, Uganda, Zambia, Sierra Leone, or turn on 'Allow Unsupported Country'/,
		],
		[
			`'Currency Name or ID' in row 1 is "EUR", which is not a currency of this service`,
			{ ...LINK, currency: 'EUR' },
			/KES/,
		],
		[
			`'Currency Name or ID' in row 1 is "GHS", but Kenya collects in KES`,
			{ ...COLLECTION, currency: 'GHS' },
			/Automatic/,
		],
		[
			`'Currency Country' in row 1 is "KE", which does not use XOF`,
			{ ...LINK, country: 'CI', additionalFields: { currencyCountry: 'KE' } },
			/Benin or Cote D'Ivoire or Senegal/,
		],
		[
			`'Mobile' in row 1 is "+256712345678", which is a number of Uganda, not of Kenya`,
			{ ...COLLECTION, mobile: '+256712345678' },
			/Choose Uganda/,
		],
		[
			`'Mobile' in row 1 is {"a":1}, which is not a phone number`,
			{ ...COLLECTION, mobile: '={{ {a: 1} }}' },
			/0712/,
		],
		[
			`'Callback URL' in row 1 is "/hook", which is not a web address`,
			{ ...COLLECTION, callbackUrl: '/hook' },
			/https:\/\//,
		],
		[
			`'Redirection URL' in row 1 is "javascript:alert(1)", which is not a web address`,
			{ ...LINK, additionalFields: { redirectionUrl: 'javascript:alert(1)' } },
			/https:\/\//,
		],
		[
			`'Customer Email' in row 1 is "amina@", which is not an e-mail address`,
			{ ...LINK, additionalFields: { email: 'amina@' } },
			/amina@example\.com/,
		],
		[
			`'Logo (Base64)' in row 1 is "aGVsbG8=", which is not a picture of a known type`,
			{ ...LINK, additionalFields: { logoBase64: 'aGVsbG8=' } },
			/2 MB/,
		],
		[
			`'Logo Binary Field' in row 1 is "photo", which is not a file of this row`,
			{ ...LINK, additionalFields: { logoBinaryProperty: 'photo' } },
			/binary field/,
		],
		[`'Business Name' is missing in row 1`, { ...LINK, businessName: ' ' }, /Fill in/],
		[
			`'Wallet Account' in row 1 is "10.5", which is not a whole number`,
			{ ...BALANCE, walletAccount: '10.5' },
			/1001/,
		],
		[
			`'Reference' is missing in row 1`,
			{ ...STATUS_V3, reference: '  ' },
			/reference of a transaction/,
		],
		[
			`'API Version' in row 1 is "v9", which is not a choice`,
			{ ...STATUS_V3, apiVersion: 'v9' },
			/v3, v2/,
		],
		[
			"'Concurrency' in row 1 is 0, which is not a whole number from 1 to 50",
			{ ...COLLECTION, options: { concurrency: 0 } },
			/1 to 50/,
		],
	];

	it.each(bad)('%s: nothing is sent', async (message, parameters, hint) => {
		const { nodeError } = await runPayments(parameters, { credential: demoCredential(wire.url) });
		expect(nodeError?.message).toBe(`${message} [Item 0]`);
		expect(nodeError?.description).toMatch(hint);
		expect(wire.received).toHaveLength(0);
	});

	it('names every bad field of a row', async () => {
		const { nodeError } = await runPayments(
			{ ...LINK, amount: 0, callbackUrl: 'y', additionalFields: { email: 'x' } },
			{ credential: demoCredential(wire.url) },
		);
		expect(nodeError?.message).toMatch(/^'Amount' in row 1 is 0, which is not positive/);
		expect(nodeError?.description).toMatch(
			/Also: 'Callback URL' in row 1 is "y".*Also: 'Customer Email'/,
		);
	});

	it('in one row of many stops the run before the first is sent', async () => {
		const { nodeError } = await runPayments(
			{ ...COLLECTION, amount: '={{ $json.amount }}' },
			{
				credential: demoCredential(wire.url),
				items: [{ amount: 1 }, { amount: 2 }, { amount: -3 }],
			},
		);
		expect(nodeError?.message).toBe("'Amount' in row 3 is -3, which is not positive [Item 2]");
		expect(nodeError?.description).toMatch(/In all: rows 1-3 not sent\./);
		expect(wire.received).toHaveLength(0);
	});
});

it.each([COLLECTION, BALANCE])(
	'an expression that cannot be read is told on the error output',
	async (parameters) => {
		const result = await runPayments(
			{ ...parameters, options: { timeoutSeconds: "={{ $('Nowhere').item.json.a }}" } },
			{ credential: demoCredential(wire.url), items: [{ a: 1 }], onError: 'continueErrorOutput' },
		);
		expect(result.success).toHaveLength(0);
		expect(result.failedJson).toMatchObject([
			{
				a: 1,
				error: {
					message: expect.stringMatching(/^Row 1 could not be read: /),
					outcome: parameters === COLLECTION ? 'not_sent' : null,
				},
			},
		]);
		expect(wire.received).toHaveLength(0);
	},
);

describe('a bad credential', () => {
	it.each([
		['Base URL', { baseUrl: 'payments.example.com' }],
		['Base URL', { baseUrl: '' }],
		['Sender', { sender: '' }],
		['Signature Template', { signatureTemplate: '{client_id}{nonce}' }],
		['API Key Header', { apiKeyHeader: 'no header' }],
	])("names '%s'", async (label, changes) => {
		const { nodeError } = await runPayments(BALANCE, {
			credential: demoCredential(wire.url, changes),
		});
		expect(nodeError?.message).toContain(`The credential's '${label}'`);
		expect(wire.received).toHaveLength(0);
	});

	it('that is missing is told per row on the error output', async () => {
		const result = await runPayments(COLLECTION, {
			credential: { baseUrl: '' },
			items: [{ a: 1 }, { a: 2 }],
			onError: 'continueErrorOutput',
		});
		expect(result.success).toHaveLength(0);
		expect(result.failedJson).toMatchObject([{ a: 1 }, { a: 2 }]);
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
		[409, no('Being processed'), 'rejected', /Being processed/],
	])('but a %d with %j: nothing is sent, %s', async (status, body, outcome, words) => {
		answer = { status, body };
		const result = await runPayments(COLLECTION, {
			credential: demoCredential(wire.url, { signatureSource: 'endpoint' }),
			onError: 'continueErrorOutput',
		});
		expect(result.failedJson).toMatchObject([{ error: { outcome } }]);
		expect(JSON.stringify(result.failedJson)).toMatch(words);
		expect(new Set(wire.received.map(({ path }) => path))).toEqual(
			new Set(['/api/service-signature']),
		);
	});
});

describe('the sandbox, asked wrongly', () => {
	it.each([
		['clientId', 'nobody', /Client id not matched/],
		[
			'sender',
			'Another Title',
			/Request was not verified|Client id not matched|Entity integration/,
		],
		['secretKey', 'wrong-key', /Request was not verified/],
		['signatureTemplate', '{params}', /Request was not verified/],
	])('by a wrong %s answers in the documented words', async (field, value, words) => {
		const service = await startTapped({ errorStatus: 'http' });
		try {
			const { nodeError } = await runPayments(COLLECTION, {
				credential: service.credential({ [field]: value }),
			});
			expect(nodeError?.message).toMatch(words);
			expect(nodeError?.message).toMatch(/^The service did not authorize the collection/);
			expect(service.sandbox.state.transactions).toHaveLength(0);
		} finally {
			await service.close();
		}
	});
});
