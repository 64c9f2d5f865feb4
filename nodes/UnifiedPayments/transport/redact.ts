import { beginningOf, cut, LONGEST } from '../protocol/limits';
import { withoutSignatures } from '../protocol/madeSignatures';
import { withoutEnd } from '../protocol/parse';
import { isSecret } from '../protocol/query';

const MASK = '***';
/** Keys whose values are always masked. */
const SECRET_KEYS = /^(?:sig|signature|secret_?key|client_secret|authorization|x-api-key)$/i;
/** Keys of addresses that carry a callback token, also one that the credential does not know. */
const CALLBACK_KEYS = /callback|webhook|notif/i;
/** Only our own callback URLs have these parameters, whatever the service calls them. */
const OWN_ADDRESS = /[?&]up[oi]=/;
/** A hexadecimal signature by any of the algorithms. */
const HEX_SIGNATURE = /\b(?:[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})\b/gi;
/** The same in base64. */
const BASE64_SIGNATURE =
	/(?<![\w+/])(?:[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{86}==)(?![\w+/=])/g;
/** A body that is said back as text, with its quotes escaped any number of times. */
const QUOTED_SIGNATURE = /(signature\\*"\s*:\s*\\*")[^"\\]*/gi;
/** `name=value` in an address or a form, wherever in a text it stands. */
const PAIR = /(^|[?&;\s"'])([^=&#?;\s"'<>\\]*)=([^&#\s"'<>\\]*)/g;
/** `signature":"`, and one character of it. */
const SHORTEST_QUOTED = 'signature":"'.length + 1;
/** A shorter secret would be found in amounts and dates, and mask what it must not. */
const SHORTEST = 6;
/** A signature of 256 bits in base64. */
const SHORTEST_DIGEST = 43;
/** A signature of 512 bits whose every character is escaped. */
const LONGEST_DIGEST = 3 * 128;
const WELL_FORMED = /^\P{Surrogate}*$/u;
/** No reply of the service is nested like that; a hostile one must not exhaust the stack. */
const DEEPEST = 64;
const TOO_DEEP = '[nested too deeply]';
/** Nor has any of its records as many values; masking more would hold n8n. */
const MAX_VALUES = 50_000;
const TOO_MANY = '[too many values]';
const inHex = (sign: string) => sign.charCodeAt(0).toString(16);
const inAscii = (sign: string) => `\\u${inHex(sign).padStart(4, '0')}`;
const inPercent = (sign: string) => `%${inHex(sign).toUpperCase()}`;

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Languages differ in how they write the quotes, and some write all signs as numbers. */
const ENTITIES: ReadonlyArray<(sign: string) => string> = [
	...[
		['&quot;', "'"],
		['&quot;', '&#039;'],
		['&quot;', '&#39;'],
		['&quot;', '&#x27;'],
		['&#34;', '&#39;'],
	].map(
		([quote = '', apostrophe = '']) =>
			(sign: string) =>
				HTML[sign] ?? (sign === '"' ? quote : apostrophe),
	),
	(sign) => `&#${sign.charCodeAt(0)};`,
	(sign) => `&#x${inHex(sign)};`,
];

/** As it stands, in JSON, in HTML, in an address or a form, also inside another one, and encoded. */
function formsOf(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const plain = [inJson, ...JSON_ESCAPED.map((signs) => inJson.replace(signs, inAscii))];
	const inHtml = ENTITIES.map((entity) => secret.replace(/[&<>"']/g, entity));
	const forms = [
		...[secret, ...inHtml],
		...[...plain, ...plain.map((each) => each.replaceAll('/', '\\/'))],
	];
	// Half a character has no other form; such a secret is masked as it stands.
	if (!WELL_FORMED.test(secret)) return forms;
	const bytes = Buffer.from(secret);
	const hex = bytes.toString('hex');
	const encoded = [withoutEnd(bytes.toString('base64'), '='), bytes.toString('base64url'), hex];
	return [...forms, ...addressFormsOf(secret), ...encoded, hex.toUpperCase()];
}

/** What is escaped in JSON: by most, by Go, and by Gson. */
const JSON_ESCAPED = [/[^\0-~]/g, /[&<>]/g, /[&<>=']/g];

function addressFormsOf(secret: string): string[] {
	const escaped = encodeURIComponent(secret);
	// PHP leaves fewer signs as they are.
	const strict = escaped.replace(/[!'()*]/g, inPercent);
	const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
	const inStrictForm = strict.replaceAll('%20', '+').replaceAll('~', '%7E');
	const upper = [escaped, strict, inForm, inStrictForm];
	const lower = upper.map((each) => each.replace(/%../g, (code) => code.toLowerCase()));
	return [...upper, ...lower, ...[...upper, ...lower].map(encodeURIComponent)];
}

/** Any `token` or `signature` of any address in a text: for what nobody needs to read on. */
export const withoutTokens = (text: string): string =>
	!text.includes('=')
		? text
		: text.replace(PAIR, (pair: string, before: string, name: string) =>
				/[?&]/.test(before) && isSecret(name) ? `${before}${name}=${MASK}` : pair,
			);

/** The same of an address that may stand escaped in its field; without escapes where there is something to mask. */
function withoutTokensOf(address: string): string {
	const plain = unescaped(address);
	const masked = withoutTokens(plain);
	return masked === plain ? address : masked;
}

const withoutDigests = (text: string): string =>
	text.length < SHORTEST_DIGEST
		? text
		: text.replace(HEX_SIGNATURE, MASK).replace(BASE64_SIGNATURE, MASK);

/** Takes secrets out of whatever is shown or stored, wherever they stand. */
export class Redactor {
	/** In every form, the longest first. */
	private secrets: string[] = [];

	/** No text that is shorter, and no pair, holds anything that is masked. */
	private shortest = SHORTEST_QUOTED;

	/** How much of the data that is being masked is still searched for signatures. */
	private left = 0;

	/** How many of its values are still shown. */
	private values = 0;

	add(secrets: readonly unknown[]): void {
		const known = secrets.filter(
			(each): each is string => typeof each === 'string' && each.length >= SHORTEST,
		);
		// The longer first, so that no secret hides a part of another.
		this.secrets = [...new Set([...this.secrets, ...known.flatMap(formsOf)])].sort(
			(a, b) => b.length - a.length,
		);
		this.shortest = Math.min(this.shortest, ...known.map(({ length }) => length));
	}

	/** For messages: whatever looks like a signature goes, too. */
	text(value: string): string {
		return this.cut(value, LONGEST.message, (text) =>
			withoutDigests(withoutTokens(this.said(text))),
		);
	}

	/** For data, where references and payment links may look like a secret, and must stay whole. */
	deep(value: unknown): unknown {
		this.left = LONGEST.searched;
		this.values = MAX_VALUES;
		return this.under('', value, 0);
	}

	private under(key: string, value: unknown, depth: number): unknown {
		if (typeof value === 'string') {
			return this.cut(value, LONGEST.data, (text) => this.data(key, text));
		}
		if (typeof value !== 'object' || value === null) return value;
		if (depth === DEEPEST) return TOO_DEEP;
		this.values -= Object.keys(value).length;
		if (this.values < 0) return TOO_MANY;
		if (Array.isArray(value)) return value.map((each) => this.under(key, each, depth + 1));
		return Object.fromEntries(
			Object.entries(value).map(([name, each]) => [
				this.data('', name),
				SECRET_KEYS.test(name) ? MASK : this.under(name, each, depth + 1),
			]),
		);
	}

	/**
	 * Masks a text of any length. The cut may go through a secret, and half of one is not found: so as
	 * much is read beyond it as a secret can be long, and as much is left out again.
	 */
	private cut(value: string, longest: number, mask: (text: string) => string): string {
		if (value.length <= longest) return mask(value);
		const beyond = Math.max(LONGEST_DIGEST, this.secrets[0]?.length ?? 0);
		if (value.length <= longest + beyond) return cut(mask(value), longest);
		const masked = mask(value.slice(0, longest + beyond));
		return `${beginningOf(masked.slice(0, -beyond), longest)}…`;
	}

	private data(key: string, value: string): string {
		if (value.length < this.shortest && !value.includes('=')) return value;
		this.left -= value.length;
		if (this.left < 0) return CALLBACK_KEYS.test(key) ? MASK : this.withoutSecrets(value);
		const said = this.said(value);
		const isAddress = CALLBACK_KEYS.test(key) || OWN_ADDRESS.test(value);
		return isAddress ? withoutTokensOf(said) : said;
	}

	/** For messages and data alike. */
	private said(value: string): string {
		const masked = withoutSignatures(this.withoutSecrets(value), MASK);
		return masked.replace(QUOTED_SIGNATURE, `$1${MASK}`);
	}

	private withoutSecrets(value: string): string {
		return this.secrets.reduce(
			(text, secret) => (text.includes(secret) ? text.split(secret).join(MASK) : text),
			value,
		);
	}
}

/** A service may write an address as a part of JSON, of HTML or of another address. */
function unescaped(address: string): string {
	const text = address.replaceAll('\\/', '/').replace(/&(?:amp|#0*38|#x0*26);|\\u0026/gi, '&');
	try {
		return /^https?%3a/i.test(text) ? decodeURIComponent(text) : text;
	} catch {
		return text;
	}
}
