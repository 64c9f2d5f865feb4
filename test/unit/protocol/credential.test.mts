import {
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

const refusal = (changes: Record<string, unknown>): string => {
	try {
		readCredential({ ...SAVED, ...changes });
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
		expect(readCredential(SAVED)).toEqual({
			baseUrl: 'https://payments.example.com',
			authUrl: 'https://payments.example.com',
			identity: { clientId: 'client-1', sender: 'Amina Shop', secretKey: 'secret-1' },
			recipe: {
				template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
				algorithm: 'sha256',
				encoding: 'hex',
			},
			signatureSource: 'local',
			listAuthentication: 'bearer',
			apiKey: null,
			callbackToken: null,
			previousSecretKey: null,
			mobileFormat: 'international',
			twoDecimals: false,
			allowUnsupportedCountry: false,
			orderInCallbackUrl: true,
			statuses: { success: [], failed: [] },
			findSignature: false,
		});
	});

	it('takes every field as it was saved', () => {
		const saved = {
			baseUrl: 'http://localhost:4010/base',
			authUrl: 'https://auth.example.com:8443',
			clientId: ' client 2 ',
			sender: ' Café | Shop ',
			secretKey: ' key with spaces ',
			signatureSource: 'endpoint',
			signatureTemplate: '{params}',
			signatureAlgorithm: 'sha512',
			signatureEncoding: 'base64',
			listAuthentication: 'none',
			apiKey: ' api key ',
			apiKeyHeader: ' X-Key ',
			callbackToken: ' a token of ours ',
			previousSecretKey: ' old key ',
			mobileFormat: 'e164',
			twoDecimals: true,
			allowUnsupportedCountry: 'true',
			orderInCallbackUrl: 'false',
			successStatuses: 'done, credited ,,',
			failureStatuses: 'blocked',
			findSignature: true,
		};
		expect(readCredential(saved)).toEqual({
			baseUrl: 'http://localhost:4010/base',
			authUrl: 'https://auth.example.com:8443',
			identity: { clientId: ' client 2 ', sender: ' Café | Shop ', secretKey: ' key with spaces ' },
			recipe: { template: '{params}', algorithm: 'sha512', encoding: 'base64' },
			signatureSource: 'endpoint',
			listAuthentication: 'none',
			apiKey: { header: 'X-Key', value: ' api key ' },
			callbackToken: ' a token of ours ',
			previousSecretKey: ' old key ',
			mobileFormat: 'e164',
			twoDecimals: true,
			allowUnsupportedCountry: true,
			orderInCallbackUrl: false,
			statuses: { success: ['done', 'credited'], failed: ['blocked'] },
			findSignature: true,
		});
	});

	it.each([
		['twoDecimals', 'yes', "The credential's 'Two Decimals' must be true or false"],
		[
			'allowUnsupportedCountry',
			1,
			"The credential's 'Allow Unsupported Country' must be true or false",
		],
		['orderInCallbackUrl', {}, "The credential's 'Order in Callback URL' must be true or false"],
		[
			'mobileFormat',
			'local',
			"The credential's 'Mobile Format' must be one of international, e164, asEntered",
		],
		['successStatuses', ['done'], "The credential's 'Success Statuses' is not text"],
	])('refuses %s %j', (field, given, message) => {
		expect(refusal({ [field]: given })).toBe(message);
	});

	it('refuses a callback token of fewer than 16 characters', () => {
		expect(refusal({ callbackToken: 'x'.repeat(15) })).toMatch(
			/^The credential's 'Callback Token' has fewer than 16 characters/,
		);
		expect(readCredential({ ...SAVED, callbackToken: 'x'.repeat(16) }).callbackToken).toHaveLength(
			16,
		);
	});

	it('takes a blank previous secret key for none', () => {
		expect(readCredential({ ...SAVED, previousSecretKey: ' ' }).previousSecretKey).toBeNull();
	});

	it('names the usual header when only the API key is set', () => {
		expect(readCredential({ ...SAVED, apiKey: 'k', apiKeyHeader: '' }).apiKey).toEqual({
			header: 'X-API-Key',
			value: 'k',
		});
	});

	it.each(['sha256', 'sha384', 'sha512'])('knows the algorithm %s', (signatureAlgorithm) => {
		for (const signatureEncoding of ['hex', 'base64']) {
			const { recipe } = readCredential({ ...SAVED, signatureAlgorithm, signatureEncoding });
			expect([recipe.algorithm, recipe.encoding]).toEqual([signatureAlgorithm, signatureEncoding]);
		}
	});

	it.each([
		['signatureSource', ['local', 'endpoint']],
		['listAuthentication', ['bearer', 'none']],
	])('knows the %s %j', (name, values) => {
		for (const value of values)
			expect(readCredential({ ...SAVED, [name]: value })).toHaveProperty(name, value);
	});

	it.each([
		['https://payments.example.com/', 'https://payments.example.com'],
		['https://payments.example.com///', 'https://payments.example.com'],
		['  https://payments.example.com/base/  ', 'https://payments.example.com/base'],
		['HTTPS://Payments.example.com', 'HTTPS://Payments.example.com'],
		['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('takes the base URL %j', (baseUrl, expected) => {
		expect(readCredential({ ...SAVED, baseUrl }).baseUrl).toBe(expected);
		expect(readCredential({ ...SAVED, authUrl: baseUrl }).authUrl).toBe(expected);
	});

	it('takes a blank auth URL for the base URL', () => {
		const read = readCredential({ ...SAVED, baseUrl: 'https://a.example/', authUrl: '  ' });
		expect(read.authUrl).toBe('https://a.example');
	});

	describe.each([
		['baseUrl', 'Base URL'],
		['clientId', 'Client ID'],
		['sender', 'Sender'],
		['secretKey', 'Secret Key'],
	])('without %s', (name, label) => {
		it.each([
			['empty', ''],
			['blank', ' \t '],
			['missing', undefined],
			['null', null],
		])('(%s) it names the field', (_, value) => {
			expect(refusal({ [name]: value })).toBe(`The credential's '${label}' is empty`);
		});

		it.each([7, true, {}])('refuses %j, which an expression may give', (value) => {
			expect(refusal({ [name]: value })).toBe(`The credential's '${label}' is not text`);
		});

		it('refuses half of a character', () => {
			expect(refusal({ [name]: `https://a.example/\ud800` })).toBe(
				`The credential's '${label}' holds half of a character. Type it again.`,
			);
		});
	});

	it('takes whole characters beyond the first plane', () => {
		expect(readCredential({ ...SAVED, sender: '🛍️' }).identity.sender).toBe('🛍️');
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

	it.each([
		['signatureSource', 'Signature Source', 'local, endpoint'],
		['signatureAlgorithm', 'Signature Algorithm', 'sha256, sha384, sha512'],
		['signatureEncoding', 'Signature Encoding', 'hex, base64'],
		['listAuthentication', 'List Authentication', 'bearer, none'],
	])('refuses an unknown %s', (name, label, allowed) => {
		expect(refusal({ [name]: 'md5' })).toBe(
			`The credential's '${label}' must be one of ${allowed}`,
		);
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
		expect(readCredential({ ...SAVED, apiKey: 'k', apiKeyHeader }).apiKey?.header).toBe(
			apiKeyHeader,
		);
	});

	it('refuses a template with an unknown placeholder', () => {
		expect(refusal({ signatureTemplate: '{nonce}' })).toContain("'Signature Template'");
	});
});

describe('reading it again', () => {
	it('reads one object once, and every other object for itself', () => {
		const saved = { ...SAVED };
		const first = readCredential(saved);
		expect(first).toEqual(readCredential({ ...SAVED }));
		expect(readCredential(saved)).toBe(first);
		expect(readCredential({ ...SAVED, clientId: 'client-2' }).identity.clientId).toBe('client-2');
	});

	it('refuses a bad one every time', () => {
		const bad = { ...SAVED, secretKey: '' };
		expect(() => readCredential(bad)).toThrow(SetupError);
		expect(() => readCredential(bad)).toThrow(SetupError);
	});
});

describe('optional texts', () => {
	it.each([
		['authUrl', 'Auth URL'],
		['apiKey', 'API Key'],
		['apiKeyHeader', 'API Key Header'],
		['callbackToken', 'Callback Token'],
		['previousSecretKey', 'Previous Secret Key'],
		['signatureTemplate', 'Signature Template'],
	])('%s is refused when it is not text, never silently dropped', (name, label) => {
		expect(() => readCredential({ ...SAVED, [name]: 12345 })).toThrow(
			`The credential's '${label}' is not text`,
		);
	});
});

it('lists every secret, also of a credential that cannot be used', () => {
	const saved = {
		secretKey: 's',
		previousSecretKey: 'p',
		apiKey: 'a',
		callbackToken: 12345,
		clientId: 'public',
	};
	expect(secretsIn(saved)).toEqual(['s', 'p', 'a', 12345]);
});
