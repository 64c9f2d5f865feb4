import { cut, LONGEST } from '../protocol/limits';
import { parseJson } from '../protocol/parse';

const MASK = '***';
/** Fields whose values are always masked. */
const SECRET_NAMES = /^(?:sig|signature|secret_?key|client_secret|authorization|x-api-key)$/i;
/** n8n's proof that an execution may be resumed, in any address, also in a percent-encoded one. */
const PROOF =
	/((?:[?&;]|%3f|%26)(?:signature|token)(?:\[\w{0,20}\])?(?:=|%3d))(?:(?!%26)[^&#\s"'<>\\])*/gi;
/** n8n's own addresses that resume an execution. Other addresses, such as payment links, stay whole. */
const RESUMES = /-waiting(?:\/|%2f)/i;
/** A shorter secret would be found in amounts and dates, and mask what it must not. */
const SHORTEST = 6;
/** No reply of the service is nested like that; a hostile one must not exhaust the stack. */
const DEEPEST = 64;
const TOO_DEEP = '[nested too deeply]';

/** Half a character has no form in an address. */
const formsOf = (secret: string): string[] =>
	/\p{Surrogate}/u.test(secret) ? [secret] : [secret, encodeURIComponent(secret)];

const without = (text: string, forms: readonly string[]): string =>
	forms.reduce((left, form) => (left.includes(form) ? left.split(form).join(MASK) : left), text);

/** For what nobody needs to read on: no proof is left in any address. */
export const withoutTokens = (text: string): string => text.replace(PROOF, `$1${MASK}`);

/** Takes secrets out of whatever is shown or stored, as they stand and percent-encoded. */
export class Redactor {
	/** The longest first, so that no secret hides a part of another. */
	private secrets: string[] = [];

	add(secrets: readonly unknown[]): void {
		const known = secrets.filter(
			(each): each is string => typeof each === 'string' && each.length >= SHORTEST,
		);
		this.secrets = [...new Set([...this.secrets, ...known.flatMap(formsOf)])].sort(
			(a, b) => b.length - a.length,
		);
	}

	/** For messages. */
	text(value: string): string {
		return cut(withoutTokens(without(value, this.secrets)), LONGEST.message);
	}

	/** For data, which keeps its shape. */
	deep(value: unknown): unknown {
		return mapTexts(value, (text, name) => {
			const isOurs = name === 'callback_url' || RESUMES.test(text);
			const shown = without(text, this.secrets);
			return isOurs ? withoutTokens(shown) : shown;
		});
	}
}

/** The value with each of its texts and names changed, and without what stands under the name of a secret. */
function mapTexts(
	value: unknown,
	change: (text: string, name: string) => string,
	name = '',
	depth = 0,
): unknown {
	if (SECRET_NAMES.test(name)) return MASK;
	if (typeof value === 'string') return change(value, name);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === DEEPEST) return TOO_DEEP;
	if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, '', depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([own, each]) => [
			change(own, ''),
			mapTexts(each, change, own, depth + 1),
		]),
	);
}

/** The body of a reply without this signature; the same body where it does not say it back. */
export function hidden(body: unknown, signature: string): unknown {
	if (typeof body !== 'string') return body;
	// These characters are the same in JSON and in addresses.
	const [start = ''] = /^\w+/.exec(signature) ?? [];
	if (!body.includes(start)) return body;
	const forms = formsOf(signature);
	return mapTexts(parseJson(body) ?? body, (text) => without(text, forms));
}
