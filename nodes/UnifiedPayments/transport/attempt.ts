/** One request, as it ended. Judged elsewhere. */
export type Attempt = Answered | Unanswered;

export interface Answered {
	kind: 'answered';
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: unknown;
}

export interface Unanswered {
	kind: 'unanswered';
	/** `no`: not a byte of the request left. `maybe`: it may have arrived and been processed. */
	sent: 'no' | 'maybe';
	/** A short technical name of the cause, e.g. ECONNREFUSED. */
	code: string;
}

/**
 * Codes that can only come up before the first byte of a request is written: name resolution,
 * connecting, and the TLS handshake. A code that is not listed counts as `maybe`.
 */
const BEFORE_FIRST_BYTE: readonly RegExp[] = [
	/^(?:ENOTFOUND|EAI_\w+)$/,
	/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ENOENT|EACCES)$/,
	/^(?:CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
	/^(?:HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_\w+)$/,
	/^(?:ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL_\w+|EPROTO)$/,
	/^(?:ERR_INVALID_URL|ERR_INVALID_CHAR|ERR_UNESCAPED_CHARACTERS|ERR_BAD_OPTION\w*)$/,
	/^ProtocolError$/,
	/^Ssrf\w*Error$/,
];

const DEEPEST = 6;

/** Reads whatever the host's HTTP helper threw. The host wraps errors, so the chain is walked. */
export function readThrown(thrown: unknown): Unanswered {
	const codes = chain(thrown).flatMap(codesOf);
	const early = codes.find((code) => BEFORE_FIRST_BYTE.some((pattern) => pattern.test(code)));
	if (early !== undefined) return { kind: 'unanswered', sent: 'no', code: early };
	const code = codes.find((each) => /^[A-Z][A-Z0-9_]+$/.test(each)) ?? 'no reply';
	return { kind: 'unanswered', sent: 'maybe', code };
}

type ErrorLike = { code?: unknown; name?: unknown; cause?: unknown };

function chain(thrown: unknown): ErrorLike[] {
	const links: ErrorLike[] = [];
	let current: unknown = thrown;
	while (typeof current === 'object' && current !== null && links.length < DEEPEST) {
		links.push(current as ErrorLike);
		current = (current as ErrorLike).cause;
	}
	return links;
}

const codesOf = ({ code, name }: ErrorLike): string[] =>
	[code, name].filter((each): each is string => typeof each === 'string');
