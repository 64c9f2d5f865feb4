import type { Credential } from './credential';
import { ENDPOINTS } from './endpoints';
import { withoutEnd, isRecord, parseJson, parseUrl } from './parse';
import { SetupError } from './explainedError';
import { fresh, isOurs, openEnvelope, seal } from './signing';

/** The part of n8n's request options that matters here. The HTTP Request node says `uri`. */
interface OutgoingRequest {
	url?: string;
	uri?: string;
	baseURL?: string;
	method?: string;
	body?: unknown;
	headers?: Record<string, unknown>;
	proxy?: unknown;
	agentOptions?: object;
	/** How the two helpers are told not to verify certificates, today and before. */
	skipSslCertificateValidation?: unknown;
	rejectUnauthorized?: unknown;
	strictSSL?: unknown;
	insecure?: unknown;
}

/** Methods whose body the service reads. A GET is left as it is. */
const WITH_BODY = /^(?:POST|PUT|PATCH)$/i;

/**
 * Redirects are never followed, whatever the caller says: nothing signed and no secret goes to
 * another address. n8n's newer request helper reads the first, the older one the others.
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
} as const;

/**
 * What the credential does to a request: the token endpoint gets the key, the signing endpoint
 * gets the unsigned envelope with the key, every other body is sealed. Applied to a request that
 * is sealed already, it seals the same params again, so n8n may call it as often as it likes.
 */
export function authorize<Request extends OutgoingRequest>(
	credential: Credential,
	request: Request,
	nowMs: number,
): Request & typeof NO_REDIRECTS {
	return { ...request, ...proof(credential, request, nowMs), ...NO_REDIRECTS };
}

/** Body and headers as they go out; nothing for a request that goes out as it is. */
type Proof = Pick<OutgoingRequest, 'body' | 'headers'>;

function proof(credential: Credential, request: OutgoingRequest, nowMs: number): Proof {
	const path = pathOf(credential, request);
	if (!WITH_BODY.test(String(request.method))) return {};

	const { clientId, secretKey } = credential.identity;
	if (path === ENDPOINTS.login) {
		refuseDetours(request);
		return withBody(request, JSON.stringify({ client_id: clientId, secret_key: secretKey }));
	}
	const text = bodyText(request.body);
	if (path === ENDPOINTS.signature) {
		refuseDetours(request);
		return withBody(request, withKey(text, secretKey));
	}
	const sealed = withBody(request, sealOnce(credential, text, nowMs));
	if (path !== ENDPOINTS.statusV2 || credential.apiKey === null) return sealed;
	refuseDetours(request);
	const { header, value } = credential.apiKey;
	return { ...sealed, headers: { ...sealed.headers, [header]: value } };
}

/** A client's own certificate changes nothing about who is at the other end. */
const OWN_CERTIFICATE: readonly string[] = ['cert', 'key', 'pfx', 'passphrase'];

/**
 * A key that is sent as it is goes to the service alone: whoever may use the credential in a
 * workflow must not be able to read it, by a proxy of their own or as a server that nobody verified.
 * A proxy that n8n itself is set up with does not show here, and is used.
 */
function refuseDetours(request: OutgoingRequest): void {
	if (isOn(request.proxy) && request.proxy !== '') {
		throw new SetupError(
			"This request carries a key of the credential, which is not sent through a proxy. Remove 'Proxy' from the options of the node.",
		);
	}
	const agent = Object.entries(request.agentOptions ?? {});
	const isUnverified =
		request.rejectUnauthorized === false ||
		request.strictSSL === false ||
		isOn(request.skipSslCertificateValidation) ||
		isOn(request.insecure);
	const verifiesOtherwise = agent.some(
		([name, value]) =>
			value !== undefined &&
			!OWN_CERTIFICATE.includes(name) &&
			!(name === 'rejectUnauthorized' && value === true),
	);
	if (isUnverified || verifiesOtherwise) {
		throw new SetupError(
			"This request carries a key of the credential, which is sent only to a server whose certificate n8n itself verified. Turn off 'Ignore SSL Issues' and remove a 'CA' of your own from the SSL certificates of the node.",
		);
	}
}

const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

function sealOnce(credential: Credential, text: string, nowMs: number): string {
	const { identity, recipe, signatureSource } = credential;
	const opened = openEnvelope(identity, text);
	if (signatureSource === 'endpoint') {
		if (opened) return text;
		throw new SetupError(
			"This credential gets its signatures from the signing endpoint, which only the Unified Payments node can ask. Set the credential's 'Signature Source' to 'Computed Here' to use it in other nodes.",
		);
	}
	const paramsText = opened && isOurs(identity, recipe, opened) ? opened.paramsText : text;
	return seal(identity, recipe, paramsText, fresh(nowMs));
}

/** Adds the key behind the other members, once, and leaves their text as it is. */
function withKey(text: string, secretKey: string): string {
	const last = `"secret_key":${JSON.stringify(secretKey)}}`;
	if (text.endsWith(last)) return text;
	return text === '{}' ? `{${last}` : `${text.slice(0, -1)},${last}`;
}

/** The exact text that becomes `params`. */
function bodyText(body: unknown): string {
	if (body === undefined || body === null || body === '') return '{}';
	const isText = typeof body === 'string';
	// Forms, files and the like have JSON of their own, which would not be what the user meant.
	if (!isText && Object.prototype.toString.call(body) !== '[object Object]') throw noObject();
	const text = isText ? body.trim() : JSON.stringify(body);
	if (!isRecord(parseJson(text))) throw noObject();
	return text;
}

const noObject = () =>
	new SetupError('The body must be a JSON object: it is sent as the params of a signed request');

const withBody = ({ headers }: OutgoingRequest, body: string): Proof => ({
	body,
	headers: { ...headers, 'Content-Type': 'application/json' },
});

/**
 * The path below the base URL (or, for the token, the auth URL). Anything elsewhere is refused:
 * a signed request, and above all the key, must not leave for another host.
 */
function pathOf(credential: Credential, request: OutgoingRequest): string {
	const given = request.url ?? request.uri ?? '';
	const { baseURL } = request;
	const isWhole = baseURL === undefined || /^https?:\/\//i.test(given);
	const target = normal(isWhole ? given : join(baseURL, given));
	const auth = below(normal(credential.authUrl), target);
	if (auth === ENDPOINTS.login) return auth;
	const path = below(normal(credential.baseUrl), target);
	if (path === null || path === ENDPOINTS.login) {
		throw new SetupError(
			`This credential only signs requests to its own 'Base URL' (${credential.baseUrl}) and 'Auth URL'`,
		);
	}
	return path;
}

/** As n8n's HTTP client joins them. */
const join = (base: string, path: string) => `${withoutEnd(base, '/')}/${path.replace(/^\/+/, '')}`;

/** Origin and path as they go out, so that `..`, case and default ports cannot mislead. */
function normal(url: string): string {
	const parsed = parseUrl(url);
	if (!parsed) throw new SetupError('The address of the request is not a web address');
	return parsed.origin + withoutEnd(parsed.pathname, '/');
}

const below = (base: string, target: string): string | null =>
	target === base || target.startsWith(`${base}/`) ? target.slice(base.length) : null;
