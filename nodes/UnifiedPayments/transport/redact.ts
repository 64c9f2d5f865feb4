import { withoutEnd } from '../protocol/ends';
import { beginningOf, cut, LONGEST } from '../protocol/limits';
import { withoutSignatures } from '../protocol/madeSignatures';
import { isSecret, isToken, readValue } from '../protocol/query';

const MASK = '***';
/** Keys whose values never leave, whatever they hold. */
const SECRET_KEYS = /^(?:sig|signature|secret_?key|client_secret|authorization|x-api-key)$/i;
/** Keys of addresses that carry a callback token, also one that the credential does not know. */
const CALLBACK_KEYS = /callback|webhook|notif/i;
/**
 * What is asked by, matched and branched on. A value that is the callback token by chance is left
 * there: `status: "***"` would send a payment down the wrong branch.
 */
const DECIDING_KEYS =
	/^(?:(?:order|transaction|third_?party)?_?(?:ref|reference)(?:_?[12])?|(?:transaction_?)?id|event_?key|event|state|status|status_?code|outcome|verified|reason|type|amount|fee|balance|currency)$/i;

/** A hexadecimal signature by any of the algorithms. */
const HEX_SIGNATURE = /\b(?:[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})\b/gi;
/** The same in base64. */
const BASE64_SIGNATURE =
	/(?<![\w+/])(?:[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{86}==)(?![\w+/=])/g;
/** A body that is said back as text, with its quotes escaped any number of times. */
const QUOTED_SIGNATURE = /(signature\\*"\s*:\s*\\*")[^"\\]*/gi;
/** `name=value` in an address or a form, wherever in a text it stands. */
const PAIR = /(^|[?&;\s"'])([^=&#?;\s"'<>\\]*)=([^&#\s"'<>\\]*)/g;
/** What a sentence puts behind an address. */
const END_OF_SENTENCE = '.,;:!)]}';

/** `signature":"`, and one character of it. */
const SHORTEST_QUOTED = 'signature":"'.length + 1;

/** A shorter secret would be found in amounts and dates, and mask what it must not. */
const SHORTEST = 6;
/** From here on a whole word is no name that a shop would use in its data. */
const LONG = 16;
/** A signature of 512 bits whose every character is escaped. */
const LONGEST_DIGEST = 3 * 128;
const WELL_FORMED = /^\P{Surrogate}*$/u;
/** No reply of the service is nested like that; a hostile one must not exhaust the stack. */
const DEEPEST = 64;
const TOO_DEEP = '[nested too deeply]';
/** How often an address is looked for inside a parameter of another. */
const MOST_NESTED = 3;

/** Where the callback token stands as a secret: in JSON that is said back, and as a proof. */
const isQuoted = (form: string) => `(?<=["'])${form}(?=\\\\{0,9}["'])`;
const isProof = (form: string) =>
	`(?<=(?:[Bb]earer|[Bb]asic)\\s{1,3}|(?:[Tt]oken|TOKEN|[Ss]ecret|[Kk]ey)["']?\\s{0,3}[:=]\\s{0,3})${form}(?![\\p{L}\\p{N}_-])`;
/** A word of a sentence; `shop-1042` is one word. */
const isWord = (form: string) => `(?<![\\p{L}\\p{N}_-])${form}(?![\\p{L}\\p{N}_-])`;
/** Stricter: no part of a reference, a name or an address. */
const isLoneWord = (form: string) =>
	`(?<![\\p{L}\\p{N}_./:#@+~%=&?-])${form}(?![\\p{L}\\p{N}_/:#@+~%=&?-]|\\.[\\p{L}\\p{N}])`;

/** The form itself is looked for first: looking behind at every place of a long text takes time. */
const inAnyOf = (places: ReadonlyArray<(form: string) => string>, form: string): string =>
	`(?=${form})(?:${places.map((place) => place(form)).join('|')})`;

/** As it stands, in an address, and in JSON, of which some writers also escape the slashes. */
function formsOf(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const forms = [secret, inJson, inJson.replaceAll('/', '\\/')];
	// Half a character has no URL form; such a secret is masked as it stands.
	if (!WELL_FORMED.test(secret)) return forms;
	const escaped = encodeURIComponent(secret);
	return [...forms, escaped, escaped.replace(/%../g, (each) => each.toLowerCase())];
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const NOTHING = /(?!)/g;
const anyOf = (patterns: readonly string[]): RegExp =>
	patterns.length === 0 ? NOTHING : new RegExp(patterns.join('|'), 'gu');

/** The longer first, so that no secret hides a part of another. */
const longestFirst = (texts: Iterable<string>) =>
	[...new Set(texts)].sort((a, b) => b.length - a.length);

const texts = (values: readonly unknown[]): string[] =>
	values.filter((each): each is string => typeof each === 'string' && each !== '');

/** Any `token` or `signature` of any address in a text: for what nobody needs to read on. */
export const withoutTokens = (text: string): string =>
	text.replace(PAIR, (pair: string, before: string, name: string) =>
		/[?&]/.test(before) && isSecret(name) ? `${before}${name}=${MASK}` : pair,
	);

/**
 * Takes secrets out of whatever is shown or stored. What the service issued is masked wherever it
 * stands. The callback token is the user's own word, perhaps the name of the shop: in data it is
 * masked only where it stands as a secret (docs/decisions/0013).
 */
export class Redactor {
	private issued: string[] = [];

	private chosen: string[] = [];

	/** Of the chosen ones: to see quickly that there is nothing to do. */
	private forms: string[] = [];

	/** No text that is shorter, and no pair, holds a secret. */
	private shortest = SHORTEST_QUOTED;

	private inData = NOTHING;

	private inText = NOTHING;

	add(issued: readonly unknown[], chosen: readonly unknown[] = []): void {
		const known = texts(issued).filter((each) => each.length >= SHORTEST);
		this.issued = longestFirst([...this.issued, ...known.flatMap(formsOf)]);
		this.shortest = Math.min(this.shortest, ...known.map(({ length }) => length));
		if (chosen.length === 0) return;
		this.chosen = longestFirst([...this.chosen, ...texts(chosen)]);
		const words = this.chosen.filter((each) => each.length >= SHORTEST);
		this.forms = longestFirst(words.flatMap(formsOf));
		this.shortest = Math.min(this.shortest, ...words.map(({ length }) => length));
		this.inText = anyOf(this.forms.map((each) => inAnyOf([isWord], literally(each))));
		const long = new Set(words.filter((each) => each.length >= LONG).flatMap(formsOf));
		this.inData = anyOf(
			this.forms.map((each) =>
				inAnyOf(
					long.has(each) ? [isQuoted, isProof, isLoneWord] : [isQuoted, isProof],
					literally(each),
				),
			),
		);
	}

	/** For messages: whatever looks like a signature goes, too. */
	text(value: string): string {
		return this.cut(value, LONGEST.message, (text) =>
			withoutTokens(this.said(text))
				.replace(this.inText, MASK)
				.replace(HEX_SIGNATURE, MASK)
				.replace(BASE64_SIGNATURE, MASK),
		);
	}

	/** For data, where references and payment links may look like a secret, and must stay whole. */
	deep(value: unknown): unknown {
		return this.under('', value, 0);
	}

	private under(key: string, value: unknown, depth: number): unknown {
		if (typeof value === 'string') {
			return this.cut(value, LONGEST.data, (text) => this.data(key, text));
		}
		if (typeof value !== 'object' || value === null) return value;
		if (depth === DEEPEST) return TOO_DEEP;
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
		const known = [this.issued[0], this.forms[0]].map((each) => each?.length ?? 0);
		const beyond = Math.max(LONGEST_DIGEST, ...known);
		if (value.length <= longest + beyond) return cut(mask(value), longest);
		const masked = mask(value.slice(0, longest + beyond));
		return `${beginningOf(masked.slice(0, -beyond), longest)}…`;
	}

	private data(key: string, value: string): string {
		// Most values of a reply are too short to hold anything that is masked.
		if (value.length < this.shortest && !value.includes('=')) return value;
		const said = this.said(value);
		if (CALLBACK_KEYS.test(key)) return withoutTokens(said);
		if (DECIDING_KEYS.test(key) || !this.forms.some((form) => said.includes(form))) return said;
		return this.forms.includes(said.trim()) ? MASK : said.replace(this.inData, MASK);
	}

	/** What holds for messages and data alike. */
	private said(value: string): string {
		const masked = this.issued.reduce(
			(text, secret) => (text.includes(secret) ? text.split(secret).join(MASK) : text),
			value,
		);
		const unsigned = withoutSignatures(masked, MASK).replace(QUOTED_SIGNATURE, `$1${MASK}`);
		return this.pairs(unsigned, 0);
	}

	/** The callback token as the value of a parameter, however it is escaped, also inside another. */
	private pairs(text: string, depth: number): string {
		if (this.chosen.length === 0 || !text.includes('=') || depth > MOST_NESTED) return text;
		return text.replace(PAIR, (pair: string, before: string, name: string, written: string) => {
			const value = withoutEnd(written, END_OF_SENTENCE);
			const end = written.slice(value.length);
			if (this.isChosen(name, value)) return `${before}${name}=${MASK}${end}`;
			if (!/[%+=]/.test(value)) return pair;
			const read = readValue(value);
			if (this.isChosen(name, read)) return `${before}${name}=${MASK}${end}`;
			const inside = this.pairs(read, depth + 1);
			return inside === read ? pair : `${before}${name}=${encodeURIComponent(inside)}${end}`;
		});
	}

	/** A short token is one only where it is called so: `page=1` is none. */
	private isChosen(name: string, value: string): boolean {
		return this.chosen.includes(value) && (value.length >= SHORTEST || isToken(name));
	}
}
