import {
	accountOf,
	CREDENTIAL_NAME,
	readCredential,
	secretsIn,
} from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { SetupError } from '../../../nodes/UnifiedPayments/protocol/explainedError.ts';

const SAVED = {
	baseUrl: 'https://payments.example.com',
	clientId: 'client-1',
	sender: 'Amina Shop',
	secretKey: 'secret-1',
};

const read = (changes: Record<string, unknown>) => readCredential({ ...SAVED, ...changes });

const refusal = (changes: Record<string, unknown>): string => {
	try {
		read(changes);
	} catch (thrown) {
		expect(thrown).toBeInstanceOf(SetupError);
		return (thrown as SetupError).message;
	}
	throw new Error('It was accepted');
};

it('is saved by this name in every workflow', () => {
	expect(CREDENTIAL_NAME).toBe('unifiedPaymentsApi');
});

describe('readCredential', () => {
	it('fills in every default', () => {
		const { baseUrl, ...identity } = SAVED;
		expect(readCredential(SAVED)).toEqual({
			baseUrl,
			authUrl: baseUrl,
			identity,
			recipe: {
				template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
				algorithm: 'sha256',
				encoding: 'hex',
			},
			signatureSource: 'local',
			listAuthentication: 'bearer',
			apiKey: null,
			previousSecretKey: null,
			mobileFormat: 'international',
			twoDecimals: false,
			allowUnsupportedCountry: false,
			orderInCallbackUrl: true,
			referenceFields: ['ref', 'reference'],
			linkFields: ['link', 'payment_link', 'payment_url', 'checkout_url', 'url'],
			successStatuses: ['success', 'successful', 'completed', 'paid'],
			failureStatuses: [
				...['failed', 'declined', 'rejected', 'cancelled', 'canceled', 'expired', 'reversed'],
			],
			finalRefusals: [],
		});
	});

	it('takes every field as it was saved', () => {
		const identity = { clientId: 'c 2', sender: ' Café | Shop ', secretKey: ' a key ' };
		const plain = {
			baseUrl: 'http://localhost:4010/base',
			authUrl: 'https://auth.example.com:8443',
			signatureSource: 'endpoint',
			listAuthentication: 'none',
			previousSecretKey: ' old key ',
			mobileFormat: 'e164',
			twoDecimals: true,
		};
		const saved = {
			...identity,
			...plain,
			signatureTemplate: '{params}',
			signatureAlgorithm: 'sha512',
			signatureEncoding: 'base64',
			apiKey: ' api key ',
			apiKeyHeader: ' X-Key ',
			allowUnsupportedCountry: 'true',
			orderInCallbackUrl: 'false',
			successStatuses: 'done, credited ,,',
			failureStatuses: '',
			referenceFields: 'payment.id',
			linkFields: ' , ',
			finalRefusals: 'Amount, too low.\r\n\n No such operator ',
		};
		expect(readCredential(saved)).toEqual({
			...plain,
			identity,
			recipe: { template: '{params}', algorithm: 'sha512', encoding: 'base64' },
			apiKey: { header: 'X-Key', value: ' api key ' },
			allowUnsupportedCountry: true,
			orderInCallbackUrl: false,
			successStatuses: ['done', 'credited'],
			failureStatuses: [],
			referenceFields: ['payment.id'],
			linkFields: [],
			finalRefusals: ['Amount, too low.', 'No such operator'],
		});
	});

	it.each([
		['twoDecimals', 'yes', "'Two Decimals' must be true or false"],
		['allowUnsupportedCountry', 1, "'Allow Unsupported Country' must be true or false"],
		['orderInCallbackUrl', {}, "'Order in Callback URL' must be true or false"],
		['mobileFormat', 'local', "'Mobile Format' must be one of international, e164, asEntered"],
		['signatureSource', 'md5', "'Signature Source' must be one of local, endpoint"],
		['signatureAlgorithm', 'md5', "'Signature Algorithm' must be one of sha256, sha384, sha512"],
		['signatureEncoding', 'md5', "'Signature Encoding' must be one of hex, base64"],
		['listAuthentication', 'md5', "'List Authentication' must be one of bearer, none"],
		['authUrl', 1, "'Auth URL' is not text"],
		['apiKey', 1, "'API Key' is not text"],
		['apiKeyHeader', 1, "'API Key Header' is not text"],
		['previousSecretKey', 1, "'Previous Secret Key' is not text"],
		['signatureTemplate', 1, "'Signature Template' is not text"],
		['successStatuses', ['done'], "'Success Statuses' is not text"],
		['failureStatuses', ['done'], "'Failure Statuses' is not text"],
	])('refuses %s %j, never silently drops it', (field, given, message) => {
		expect(refusal({ [field]: given })).toBe(`The credential's ${message}`);
	});

	it.each([
		['previousSecretKey', ' ', null],
		['authUrl', '  ', SAVED.baseUrl],
		['twoDecimals', '', false],
		['orderInCallbackUrl', null, true],
		['orderInCallbackUrl', false, false],
		['mobileFormat', 'asEntered', 'asEntered'],
		['signatureSource', 'local', 'local'],
		['listAuthentication', 'bearer', 'bearer'],
	])('takes for the %s %j: %j', (field, given, expected) => {
		expect(read({ [field]: given })).toHaveProperty(field, expected);
	});

	it('names the usual header when only the API key is set', () => {
		const expected = { header: 'X-API-Key', value: 'k' };
		expect(read({ apiKey: 'k', apiKeyHeader: ' ' }).apiKey).toEqual(expected);
	});

	it.each(['sha256', 'sha384', 'sha512'])('knows the algorithm %s', (signatureAlgorithm) => {
		for (const signatureEncoding of ['hex', 'base64']) {
			const { recipe } = read({ signatureAlgorithm, signatureEncoding });
			expect([recipe.algorithm, recipe.encoding]).toEqual([signatureAlgorithm, signatureEncoding]);
		}
	});

	it.each([
		['https://payments.example.com///', 'https://payments.example.com'],
		['  https://payments.example.com/base/  ', 'https://payments.example.com/base'],
		['HTTPS://Payments.example.com', 'HTTPS://Payments.example.com'],
		['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('takes the base URL %j', (baseUrl, expected) => {
		expect(read({ baseUrl }).baseUrl).toBe(expected);
		expect(read({ authUrl: baseUrl }).authUrl).toBe(expected);
	});

	it.each([
		['baseUrl', 'Base URL'],
		['clientId', 'Client ID'],
		['sender', 'Sender'],
		['secretKey', 'Secret Key'],
	])('needs the %s, as text', (name, label) => {
		const messageOf = (value: unknown) => refusal({ [name]: value });
		for (const nothing of ['', ' \t ', undefined, null])
			expect(messageOf(nothing)).toBe(`The credential's '${label}' is empty`);
		for (const given of [7, true, {}])
			expect(messageOf(given)).toBe(`The credential's '${label}' is not text`);
		expect(messageOf('https://a.example/\ud800')).toBe(
			`The credential's '${label}' holds half of a character. Type it again.`,
		);
	});

	it('takes whole characters beyond the first plane', () => {
		expect(read({ sender: '🛍️' }).identity.sender).toBe('🛍️');
	});

	const plain = (label: string) =>
		`The credential's '${label}' is not a plain http or https address. ` +
		'Give a whole address, e.g. https://payments.example.com.';

	it.each([
		...['payments.example.com', '/api', 'ftp://payments.example.com', 'file:///etc/passwd'],
		...['xhttps://payments.example.com', 'httpsx://payments.example.com', 'https://', 'not a url'],
		...['https://payments.example.com?x=1', 'https://payments.example.com#top'],
		...['https://user@payments.example.com', 'https://user:pass@payments.example.com'],
		'https://:pass@payments.example.com',
	])('refuses the address %j', (address) => {
		expect(refusal({ baseUrl: address })).toBe(plain('Base URL'));
		expect(refusal({ authUrl: address })).toBe(plain('Auth URL'));
	});

	it.each(['X Key', 'X-Key:', 'Schlüssel', 'a\nb', 'a(b)', '"'])(
		'refuses the header name %j, set or not in use',
		(apiKeyHeader) => {
			expect(refusal({ apiKeyHeader })).toBe(
				"The credential's 'API Key Header' is not the name of an HTTP header",
			);
		},
	);

	it("takes every sign that a header's name may hold", () => {
		const apiKeyHeader = "!#$%&'*+-.^_`|~09AZaz";
		expect(read({ apiKey: 'k', apiKeyHeader }).apiKey?.header).toBe(apiKeyHeader);
	});

	it('refuses a template with an unknown placeholder', () => {
		expect(refusal({ signatureTemplate: '{nonce}' })).toContain("'Signature Template'");
	});
});

it('reads one object once, and refuses a bad one every time', () => {
	const saved = { ...SAVED };
	const first = readCredential(saved);
	expect(readCredential(saved)).toBe(first);
	expect(read({})).toEqual(first);
	expect(read({ clientId: 'client-2' }).identity.clientId).toBe('client-2');
	const bad = { ...SAVED, secretKey: '' };
	expect(() => readCredential(bad)).toThrow(SetupError);
	expect(() => readCredential(bad)).toThrow(SetupError);
});

it('has no outer spaces around the client ID, which people paste; all else is as it was typed', () => {
	const { identity } = read({ clientId: ' client-1\n', sender: ' Shop ', secretKey: ' key ' });
	expect(identity).toEqual({ clientId: 'client-1', sender: ' Shop ', secretKey: ' key ' });
});

it.each([
	['HTTP://Payments.example.com:80/', 'payments.example.com'],
	['https://payments.example.com:8443/a/b/', 'payments.example.com:8443/a/b'],
	['nowhere', 'nowhere'],
])('the account at %s is the one at %s', (baseUrl, address) => {
	const account = { baseUrl, identity: read({}).identity };
	expect(accountOf(account)).toEqual([address, 'client-1']);
	expect(accountOf(account)).toBe(accountOf(account));
});

it('lists every secret, also of a credential that cannot be used', () => {
	const secrets = { secretKey: 's', previousSecretKey: 'p', apiKey: 12345 };
	expect(secretsIn({ ...secrets, clientId: 'public' })).toEqual(['s', 'p', 12345]);
});
