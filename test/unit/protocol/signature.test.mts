import { createHmac } from 'node:crypto';

import { SetupError } from '../../../nodes/UnifiedPayments/protocol/explainedError.ts';
import {
	checkTemplate,
	seal,
	SIGNATURE_DEFAULTS,
} from '../../../nodes/UnifiedPayments/protocol/signing.ts';

const VALUES = { sender: 'SENDER', salt: 'SALT', params: '{"id":"TX-1"}' };

/** The signature of a sealed body, and what it must be when exactly this text is signed. */
function signed(template: string, text: string, changes: Partial<typeof VALUES> = {}) {
	const { sender, salt, params } = { ...VALUES, ...changes };
	const identity = { clientId: 'CLIENT', sender, secretKey: 'key' };
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

	it('is replaced in one pass, so that a value that looks like a placeholder stays', () => {
		const tricky = { sender: '{salt}', salt: '{params}', params: '{"a":"{sender}$&"}' };
		const text = '{salt}/{params}/{"a":"{sender}$&"}';
		const { signature, expected } = signed('{sender}/{salt}/{params}', text, tricky);
		expect(signature).toBe(expected);
	});

	it('is the UTF-8 bytes of the text', () => {
		const { signature, expected } = signed('{sender}', 'Café 🛍️', { sender: 'Café 🛍️' });
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

	it('throws an error that can be told apart by name', () => {
		expect(new SetupError('x').name).toBe('SetupError');
		expect(new SetupError('x')).toBeInstanceOf(Error);
	});
});
