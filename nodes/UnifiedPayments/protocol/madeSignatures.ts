import { LONGEST } from './limits';

/** Several times as many as can be under way at once. */
const MAX_SIGNATURES = 5000;
/** Two signatures never begin with the same characters for this long. */
const START = 16;

/** The ways in which a signature may come back, by how they start. */
type Made = Map<string, readonly string[]>;

/** The signatures that were sent last, and those before. The older ones are forgotten together. */
let made: Made = new Map();
let madeBefore: Made = new Map();

/** The same signature in capitals, in an address, and in JSON that escapes slashes. */
function formsOf(signature: string): string[] {
	if (/^[0-9a-f]+$/.test(signature)) return [signature, signature.toUpperCase()];
	const escaped = encodeURIComponent(signature);
	return [
		signature,
		signature.replaceAll('/', '\\/'),
		escaped,
		escaped.replace(/%../g, (each) => each.toLowerCase()),
	];
}

/** To be masked wherever it comes back. Only what was really sent: a reference may look the same. */
export function rememberSignature(signature: string): void {
	if (signature.length < START || /\p{Surrogate}/u.test(signature)) return;
	const forms = formsOf(signature);
	for (const form of forms) made.set(form.slice(0, START), forms);
	if (made.size < MAX_SIGNATURES) return;
	madeBefore = made;
	made = new Map();
}

/** Hexadecimal, base64 of both kinds, with escapes or points. A signing endpoint may make short ones. */
const RUN = /[\w+/=%\\.~-]{32,}/g;

/** The text without the signatures that this process sent lately. */
export const withoutSignatures = (text: string, mask: string): string =>
	text.replace(RUN, (run) => (run.length > LONGEST.run ? run : masked(run, mask)));

function masked(run: string, mask: string): string {
	let result = '';
	let rest = run;
	while (rest !== '') {
		const start = rest.slice(0, START);
		const forms = made.get(start) ?? madeBefore.get(start);
		const form = forms?.find((each) => rest.startsWith(each));
		result += form === undefined ? rest.charAt(0) : mask;
		rest = rest.slice(form?.length ?? 1);
	}
	return result;
}
