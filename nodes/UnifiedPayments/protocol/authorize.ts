import { ADVICE } from './advice';
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

/** A header that says that the caller wrote the whole body. It is not sent, and gains nobody a secret. */
export const WHOLE_BODY = 'x-whole-body';

/**
 * What the credential does to a request: a body is sealed, unless its caller wrote all of it. No
 * secret is put into a request here. Applied to a request that is sealed already, it seals the same
 * params again, so n8n may call it as often as it likes.
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

	const { [WHOLE_BODY]: isWhole, ...headers } = request.headers ?? {};
	const asJson = { ...headers, 'Content-Type': 'application/json' };
	if (isWhole !== undefined) return { headers: asJson };
	if (path === ENDPOINTS.login || path === ENDPOINTS.signature) {
		throw new SetupError(
			"This address takes the secret key, which the credential puts into no request. Use 'Get' of 'Token' in the Unified Payments node.",
		);
	}
	return { body: sealOnce(credential, bodyText(request.body), nowMs), headers: asJson };
}

function sealOnce(credential: Credential, text: string, nowMs: number): string {
	const { identity, recipe, signatureSource } = credential;
	if (signatureSource === 'endpoint') {
		throw new SetupError(
			`This credential gets its signatures from the signing endpoint, which only the Unified Payments node can ask. ${ADVICE.computedHere}`,
		);
	}
	const opened = openEnvelope(identity, text);
	const paramsText = opened && isOurs(identity, recipe, opened) ? opened.paramsText : text;
	return seal(identity, recipe, paramsText, fresh(nowMs));
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

/**
 * The path below the base URL (or, for the token, the auth URL). Anything elsewhere is refused:
 * a signed request must not leave for another host.
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
