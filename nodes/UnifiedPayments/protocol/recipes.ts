import { SIGNATURE_DEFAULTS, type SignatureRecipe } from './signing';

/** Most likely first: as in the default, and nothing at all. */
const USUAL = ['|', ''];
const OTHER_SEPARATORS = [':', '.', ',', '&', '-'];

const ALL = ['client_id', 'sender', 'timestamp', 'salt'];
const OTHER_ORDERS = [
	['client_id', 'timestamp', 'salt'],
	['timestamp', 'salt'],
	['salt', 'timestamp'],
	['sender', 'client_id', 'timestamp', 'salt'],
	['client_id', 'sender', 'salt', 'timestamp'],
];

const OTHER_FORMATS = [
	{ algorithm: 'sha512', encoding: 'hex' },
	{ algorithm: 'sha256', encoding: 'base64' },
	{ algorithm: 'sha512', encoding: 'base64' },
	{ algorithm: 'sha384', encoding: 'hex' },
] as const;

/** With the parameters last, and without them. */
const templates = (inputs: readonly string[], separators: readonly string[], before = '') =>
	separators.flatMap((separator) =>
		[[...inputs, 'params'], inputs].map(
			(each) => before + each.map((name) => `{${name}}`).join(separator),
		),
	);

const HEX = /^(?:[0-9a-f]{2})+$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** A shorter text is no key that was drawn as bytes. */
const SHORTEST_KEY = 16;

/** How the secret key may have to be decoded, by what it looks like. */
const decodings = (secretKey: string): string[] =>
	secretKey.length < SHORTEST_KEY
		? []
		: [
				...(HEX.test(secretKey) ? ['{key_hex}'] : []),
				...(BASE64.test(secretKey) ? ['{key_base64}'] : []),
			];

/**
 * The recipes that are worth trying, the most likely first. Each differs from the default in one
 * thing, or in one thing and the usual separators. With what is asked before and
 * after, no search sends more than 60 requests.
 */
export function likelyRecipes(secretKey: string): SignatureRecipe[] {
	const usual = templates(ALL, USUAL);
	const milliseconds = templates(
		ALL.map((name) => (name === 'timestamp' ? 'timestamp_ms' : name)),
		USUAL,
	);
	const decoded = decodings(secretKey).flatMap((key) => templates(ALL, USUAL, key));
	const others = OTHER_ORDERS.flatMap((inputs) => templates(inputs, USUAL));
	return [
		...[...usual, ...decoded, ...templates(ALL, OTHER_SEPARATORS)].map(asDefault),
		...OTHER_FORMATS.flatMap((format) =>
			[usual[0]!, usual[2]!].map((template) => ({ template, ...format })),
		),
		...[...milliseconds, ...others].map(asDefault),
	];
}

const asDefault = (template: string): SignatureRecipe => ({ ...SIGNATURE_DEFAULTS, template });

/** The same recipe for parameters that are written again with sorted names before they are signed. */
export const withSortedParams = (recipe: SignatureRecipe): SignatureRecipe => ({
	...recipe,
	template: recipe.template.replaceAll('{params}', '{params_sorted}'),
});
