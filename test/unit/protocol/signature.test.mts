import { createHmac } from 'node:crypto';

import { SetupError } from '../../../nodes/UnifiedPayments/protocol/setupError.ts';
import {
	checkTemplate,
	signature,
	SIGNATURE_DEFAULTS,
	textToSign,
} from '../../../nodes/UnifiedPayments/protocol/signing.ts';

const FIELDS = {
	client_id: 'CLIENT',
	sender: 'SENDER',
	timestamp: '1767225600',
	salt: 'SALT',
	params: '{"id":"TX-1"}',
};

describe('textToSign', () => {
	it('is the fields joined by pipes unless the user says otherwise', () => {
		expect(SIGNATURE_DEFAULTS).toEqual({
			template: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
			algorithm: 'sha256',
			encoding: 'hex',
		});
		expect(textToSign(SIGNATURE_DEFAULTS.template, FIELDS)).toBe(
			'CLIENT|SENDER|1767225600|SALT|{"id":"TX-1"}',
		);
	});

	it('replaces in one pass, so that a value that looks like a placeholder stays', () => {
		const tricky = { ...FIELDS, sender: '{salt}', salt: '{params}', params: '{"a":"{sender}$&"}' };
		expect(textToSign('{sender}/{salt}/{params}', tricky)).toBe(
			'{salt}/{params}/{"a":"{sender}$&"}',
		);
	});

	it('refuses an unknown placeholder before anything is signed', () => {
		expect(() => textToSign('{client_id}{nonce}', FIELDS)).toThrow(SetupError);
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
					'Known are {client_id}, {sender}, {timestamp}, {salt}, {params}.',
			),
		);
	});

	it('throws an error that can be told apart by name', () => {
		expect(new SetupError('x').name).toBe('SetupError');
		expect(new SetupError('x')).toBeInstanceOf(Error);
	});
});

describe('signature', () => {
	it('signs the UTF-8 bytes of the text', () => {
		const recipe = SIGNATURE_DEFAULTS;
		const bytes = Buffer.from('Café 🛍️', 'utf8');
		const expected = createHmac('sha256', 'key').update(bytes).digest('hex');
		expect(signature('Café 🛍️', 'key', recipe)).toBe(expected);
	});
});
