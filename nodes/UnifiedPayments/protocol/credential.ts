import {
	ProtocolError,
	SIGNATURE_DEFAULTS,
	type Identity,
	type SignatureAlgorithm,
	type SignatureEncoding,
	type SignatureRecipe,
} from './settings';
import { checkTemplate } from './signature';
import { parseUrl } from './url';

/** What the user saved, read once and checked, so that nothing later has to guess. */
export interface Credential {
	baseUrl: string;
	authUrl: string;
	identity: Identity;
	recipe: SignatureRecipe;
	signatureSource: 'local' | 'endpoint';
	listAuthentication: 'bearer' | 'none';
	/** Null when no key is set: then no header is sent. */
	apiKey: { header: string; value: string } | null;
	/** Null when the user set none. */
	callbackToken: string | null;
}

const ALGORITHMS: readonly SignatureAlgorithm[] = ['sha256', 'sha384', 'sha512'];
const ENCODINGS: readonly SignatureEncoding[] = ['hex', 'base64'];
/** A lone surrogate has no UTF-8 form: what is signed could not be what is sent. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export function readCredential(saved: Readonly<Record<string, unknown>>): Credential {
	const text = (name: string, fallback = '') =>
		typeof saved[name] === 'string' && saved[name] !== '' ? saved[name] : fallback;
	const required = (name: string, label: string) => {
		const value = text(name);
		if (value.trim() === '') throw new ProtocolError(`The credential's '${label}' is empty`);
		if (LONE_SURROGATE.test(value)) {
			throw new ProtocolError(
				`The credential's '${label}' holds half of a character. Type it anew.`,
			);
		}
		return value;
	};
	const oneOf = <T extends string>(name: string, label: string, allowed: readonly T[]): T => {
		const value = text(name, allowed[0]);
		const found = allowed.find((each) => each === value);
		if (found === undefined) {
			throw new ProtocolError(`The credential's '${label}' must be one of ${allowed.join(', ')}`);
		}
		return found;
	};

	const baseUrl = address(required('baseUrl', 'Base URL'), 'Base URL');
	const header = text('apiKeyHeader', 'X-API-Key').trim();
	if (!HEADER_NAME.test(header)) {
		throw new ProtocolError("The credential's 'API Key Header' is not the name of an HTTP header");
	}
	return {
		baseUrl,
		authUrl: text('authUrl').trim() === '' ? baseUrl : address(text('authUrl'), 'Auth URL'),
		identity: {
			clientId: required('clientId', 'Client ID'),
			sender: required('sender', 'Sender'),
			secretKey: required('secretKey', 'Secret Key'),
		},
		recipe: {
			template: checkTemplate(text('signatureTemplate', SIGNATURE_DEFAULTS.template)),
			algorithm: oneOf('signatureAlgorithm', 'Signature Algorithm', ALGORITHMS),
			encoding: oneOf('signatureEncoding', 'Signature Encoding', ENCODINGS),
		},
		signatureSource: oneOf('signatureSource', 'Signature Source', ['local', 'endpoint'] as const),
		listAuthentication: oneOf('listAuthentication', 'List Authentication', [
			'bearer',
			'none',
		] as const),
		apiKey: text('apiKey') === '' ? null : { header, value: text('apiKey') },
		callbackToken: text('callbackToken') === '' ? null : text('callbackToken'),
	};
}

const known = new WeakMap<object, Credential>();

/** Reads it once: for all requests of a run the host is given the very same object. */
export function credentialIn(saved: Readonly<Record<string, unknown>>): Credential {
	const credential = known.get(saved) ?? readCredential(saved);
	known.set(saved, credential);
	return credential;
}

/** An absolute http(s) address without its trailing slashes. */
function address(given: string, label: string): string {
	const trimmed = given.trim().replace(/\/+$/, '');
	const allowed = 'Give a whole address, e.g. https://payments.example.com.';
	const url = parseUrl(trimmed);
	const plain =
		url !== null &&
		/^https?:/.test(url.protocol) &&
		`${url.search}${url.hash}${url.username}${url.password}` === '';
	if (!plain) {
		throw new ProtocolError(
			`The credential's '${label}' is not a plain http or https address. ${allowed}`,
		);
	}
	return trimmed;
}
