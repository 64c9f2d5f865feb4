import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';

/** A credential with the default lists. */
export const readerWith = (changes: Record<string, unknown> = {}) =>
	readCredential({
		baseUrl: 'https://pay.example',
		clientId: 'client',
		sender: 'Shop',
		secretKey: 'a-secret-key',
		...changes,
	});

export const READER = readerWith();
