const MASK = '***';
/** Keys whose values never leave, whatever they hold. */
const SECRET_KEYS = /^(?:sig|signature|secret_?key|client_secret|authorization|x-api-key)$/i;
/** A hexadecimal signature by any of the algorithms. */
const HEX_SIGNATURE = /\b(?:[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})\b/gi;
/** The same in base64. */
const BASE64_SIGNATURE =
	/(?<![\w+/])(?:[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{86}==)(?![\w+/=])/g;
/** A body that is said back as text, with its quotes escaped any number of times. */
const QUOTED_SIGNATURE = /(signature\\*"\s*:\s*\\*")[^"\\]*/gi;

/** A shorter secret would be found in amounts and dates, and mask what it must not. */
const SHORTEST = 6;
const WELL_FORMED = /^\P{Surrogate}*$/u;
/** No reply of the service is nested like that; a hostile one must not exhaust the stack. */
const DEEPEST = 64;
const TOO_DEEP = '[nested too deeply]';

/** Takes secrets out of whatever the service or the host said, before anyone sees it. */
export class Redactor {
	private known: string[] = [];

	add(secrets: readonly unknown[]): void {
		const found = secrets
			.filter((secret): secret is string => typeof secret === 'string')
			.filter((secret) => secret.length >= SHORTEST)
			// Half a character has no URL form; such a secret is masked as it stands.
			.flatMap((each) => (WELL_FORMED.test(each) ? [each, encodeURIComponent(each)] : [each]));
		// The longer first, so that no secret hides a part of another.
		this.known = [...new Set([...this.known, ...found])].sort((a, b) => b.length - a.length);
	}

	/** For messages: whatever looks like a signature goes, too. */
	text(value: string): string {
		return this.said(value).replace(HEX_SIGNATURE, MASK).replace(BASE64_SIGNATURE, MASK);
	}

	/** For data, where references and payment links may look like a signature, and must stay whole. */
	deep(value: unknown, depth = 0): unknown {
		if (typeof value === 'string') return this.said(value);
		if (typeof value !== 'object' || value === null) return value;
		if (depth === DEEPEST) return TOO_DEEP;
		if (Array.isArray(value)) return value.map((each) => this.deep(each, depth + 1));
		return Object.fromEntries(
			Object.entries(value).map(([key, each]) => [
				this.withoutKnown(key),
				SECRET_KEYS.test(key) ? MASK : this.deep(each, depth + 1),
			]),
		);
	}

	private said(value: string): string {
		return this.withoutKnown(value).replace(QUOTED_SIGNATURE, `$1${MASK}`);
	}

	private withoutKnown(value: string): string {
		return this.known.reduce((masked, secret) => masked.split(secret).join(MASK), value);
	}
}
