import {
	likelyRecipes,
	withSortedParams,
} from '../../../nodes/UnifiedPayments/protocol/recipes.ts';
import type { SignatureRecipe } from '../../../nodes/UnifiedPayments/protocol/signing.ts';

const SHORT: Record<string, string> = {
	client_id: 'C',
	sender: 'S',
	timestamp: 'T',
	timestamp_ms: 'MS',
	salt: 'R',
	params: 'P',
	key_hex: 'hex key ',
	key_base64: 'base64 key ',
};

/** `C|S|T|R|P` for the default. */
const short = ({ template, algorithm, encoding }: SignatureRecipe): string => {
	const format = `${algorithm} ${encoding} `.replace('sha256 hex ', '');
	return format + template.replace(/\{(\w+)\}/g, (_, name: string) => SHORT[name]!);
};

it('the recipes that are tried for a signature, in order', () => {
	expect(likelyRecipes('00112233445566778899aabbccddeeff').map(short)).toEqual([
		...['C|S|T|R|P', 'C|S|T|R', 'CSTRP', 'CSTR'],
		...['hex key C|S|T|R|P', 'hex key C|S|T|R', 'hex key CSTRP', 'hex key CSTR'],
		...['base64 key C|S|T|R|P', 'base64 key C|S|T|R', 'base64 key CSTRP', 'base64 key CSTR'],
		...['C:S:T:R:P', 'C:S:T:R', 'C.S.T.R.P', 'C.S.T.R', 'C,S,T,R,P', 'C,S,T,R'],
		...['C&S&T&R&P', 'C&S&T&R', 'C-S-T-R-P', 'C-S-T-R'],
		...['sha512 hex C|S|T|R|P', 'sha512 hex CSTRP', 'sha256 base64 C|S|T|R|P'],
		...['sha256 base64 CSTRP', 'sha512 base64 C|S|T|R|P', 'sha512 base64 CSTRP'],
		...['sha384 hex C|S|T|R|P', 'sha384 hex CSTRP'],
		...['C|S|MS|R|P', 'C|S|MS|R', 'CSMSRP', 'CSMSR'],
		...['C|T|R|P', 'C|T|R', 'CTRP', 'CTR', 'T|R|P', 'T|R', 'TRP', 'TR'],
		...['R|T|P', 'R|T', 'RTP', 'RT', 'S|C|T|R|P', 'S|C|T|R', 'SCTRP', 'SCTR'],
		...['C|S|R|T|P', 'C|S|R|T', 'CSRTP', 'CSRT'],
	]);
});

it.each([
	['a secret key, as text', []],
	['0123456789abcd', []],
	['0123456789abcdef', ['hex', 'base64']],
	['0123456789ABCDEF01', ['hex']],
	['0123456789abcdefg', []],
	['g0123456789abcdef', []],
	['0123456789abcdef0', []],
	['qL8R4QIcQ/ZsRqOAbe+f', ['base64']],
	['qL8R4QIcQ/ZsRqOAbeRfcQ==', ['base64']],
	['qL8R4QIcQ/ZsRqOAbeRfcQA=', ['base64']],
	['qL8R4QIcQ/ZsRqOAbeRfcQ=', []],
])('the key %j may stand for bytes in %j', (secretKey, expected) => {
	const begins = likelyRecipes(secretKey).map((each) => each.template.replace(/\{(?!key).*/, ''));
	expect([...new Set(begins)]).toEqual(['', ...expected.map((each) => `{key_${each}}`)]);
});

it('the parameters of a recipe can be sorted, wherever they stand', () => {
	const recipe = { template: '{params}|{salt}|{params}', algorithm: 'sha512', encoding: 'hex' };
	expect(withSortedParams(recipe as SignatureRecipe)).toEqual({
		...recipe,
		template: '{params_sorted}|{salt}|{params_sorted}',
	});
});
