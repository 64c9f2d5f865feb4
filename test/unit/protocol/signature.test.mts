import { createHmac } from 'node:crypto';

import {
	ExplainedError,
	outcomeIn,
	SetupError,
} from '../../../nodes/UnifiedPayments/protocol/explainedError.ts';
import {
	checkTemplate,
	seal,
	SIGNATURE_DEFAULTS,
	writeParams,
} from '../../../nodes/UnifiedPayments/protocol/signing.ts';

const VALUES = { sender: 'SENDER', salt: 'SALT', params: '{"id":"TX-1"}', secretKey: 'key' };

/** The signature of a sealed body, and what it must be when exactly this text is signed. */
function signed(template: string, text: string, changes: Partial<typeof VALUES> = {}) {
	const { sender, salt, params, secretKey } = { ...VALUES, ...changes };
	const identity = { clientId: 'CLIENT', sender, secretKey };
	const freshness = { timestamp: 1767225600, salt };
	const body = seal(identity, { ...SIGNATURE_DEFAULTS, template }, params, freshness);
	const { signature } = JSON.parse(body) as { signature: string };
	const bytes = Buffer.from(text, 'utf8');
	return { signature, expected: createHmac('sha256', 'key').update(bytes).digest('hex') };
}

describe('what is signed', () => {
	it('is the fields joined by pipes unless the user says otherwise', () => {
		expect(SIGNATURE_DEFAULTS).toEqual({
			template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
			algorithm: 'sha256',
			encoding: 'hex',
		});
		const text = 'CLIENT|SENDER|1767225600|SALT|{"id":"TX-1"}';
		const { signature, expected } = signed(SIGNATURE_DEFAULTS.template, text);
		expect(signature).toBe(expected);
	});

	const tricky = { sender: '{salt}', salt: '{params}', params: '{"a":"{sender}$&"}' };
	const unsorted = '{"b":[{"d":"D","c":2}, [null]],"a":1.50}';

	it.each<[string, string, string, Partial<typeof VALUES>]>([
		[
			'each value as it is, also one that looks like a placeholder',
			'{sender}/{salt}/{params}',
			'{salt}/{params}/{"a":"{sender}$&"}',
			tricky,
		],
		['the UTF-8 bytes of the text', '{sender}', 'Café 🛍️', { sender: 'Café 🛍️' }],
		['the time in milliseconds', '{timestamp_ms}', '1767225600000', {}],
		[
			'params compact, with sorted names',
			'{params_sorted}',
			'{"a":1.5,"b":[{"c":2,"d":"D"},[null]]}',
			{ params: unsorted },
		],
		['with a key in hexadecimal', '{key_hex}{salt}', 'SALT', { secretKey: '6b6579' }],
		['with a key in base64', '{salt}{key_base64}', 'SALT', { secretKey: 'a2V5' }],
	])('is %s', (_, template, text, changes) => {
		const { signature, expected } = signed(template, text, changes);
		expect(signature).toBe(expected);
	});
});

describe('checkTemplate', () => {
	it.each(['{client_id}', 'no placeholder', '', '{{params}}', '{ sender }', '{a-b}', '}{', '{'])(
		'gives %j back',
		(template) => {
			expect(checkTemplate(template)).toBe(template);
		},
	);

	it.each([
		['{nonce}', 'nonce'],
		['{params}{}', ''],
		['{CLIENT_ID}', 'CLIENT_ID'],
		['{client_id}|{secret_key}', 'secret_key'],
		['{params_}', 'params_'],
		['{toString}', 'toString'],
		['{__proto__}', '__proto__'],
	])('refuses %j and says what is known', (template, name) => {
		expect(() => checkTemplate(template)).toThrow(
			new SetupError(
				`The credential's 'Signature Template' holds the unknown placeholder {${name}}. ` +
					'Known are {client_id}, {sender}, {timestamp}, {salt}, {params}, {timestamp_ms}, {params_sorted}, {key_hex}, {key_base64}.',
			),
		);
	});

	it('throws an error that says what to do', () => {
		expect(new SetupError('x')).toMatchObject({
			name: 'SetupError',
			description: 'Open the credential and correct it. Nothing was sent.',
			outcome: null,
			isToCorrect: true,
		});
	});
});

it('the outcome of a create is in its error, and in no other', () => {
	const error = new ExplainedError('x', 'y', 'unknown');
	expect(error).toMatchObject({ name: 'ExplainedError', isToCorrect: false });
	expect([error, new Error('x'), new ExplainedError('x', 'y')].map(outcomeIn)).toEqual([
		...['unknown', null, null],
	]);
});

describe('the text of params', () => {
	it.each([
		[80, '80.00'],
		[80.5, '80.50'],
		[0.1, '0.10'],
		[9999999999999.99, '9999999999999.99'],
	])('can state %d with two decimals, as a number', (amount, written) => {
		const text = writeParams({ amount, mobile: '"a"', country_id: 12 }, true);
		expect(text).toBe(`{"amount":${written},"mobile":"\\"a\\"","country_id":12}`);
	});

	it.each([
		[{ amount: 80, name: 'a' }, undefined],
		[{ amount: '80' }, true],
		[{}, true],
	])('is otherwise that of JSON: %j', (params, twoDecimals) => {
		expect(writeParams(params, twoDecimals)).toBe(JSON.stringify(params));
	});
});
