import { prng } from '../faults/prng.mts';
import { ALGORITHMS, type SignatureRecipe } from './signature.mts';

const FIELDS = ['client_id', 'sender', 'timestamp', 'salt'] as const;
const SEPARATORS = ['|', '', ':', '.', ',', '&', '-', '_', ';', ' ', '#', '~'];

/** What a secret key can be read as. */
function keyForms(secretKey: string): SignatureRecipe['key'][] {
	const forms: SignatureRecipe['key'][] = ['text'];
	if (/^(?:[0-9a-f]{2}){8,}$/i.test(secretKey)) forms.push('hex');
	if (/^(?:[\w+/-]{4}){4,}(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/.test(secretKey)) forms.push('base64');
	return forms;
}

/** A recipe that nobody chose: any order, any of these separators, and every other part at random. */
export function drawRecipe(seed: number, secretKey: string): SignatureRecipe {
	const random = prng(seed);
	const oneOf = <T,>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
	const shuffled = FIELDS.map((field) => ({ field, place: random() }))
		.sort((a, b) => a.place - b.place)
		.map(({ field }) => field);
	const fields: string[] = shuffled.slice(0, oneOf([2, 3, 4, 4]));
	const place = oneOf(['end', 'end', 'start', 'out']);
	if (place === 'end') fields.push('params');
	if (place === 'start') fields.unshift('params');
	const named = random() < 0.15;
	return {
		template: fields
			.map((field) => (named ? `${field}={${field}}` : `{${field}}`))
			.join(oneOf(SEPARATORS)),
		algorithm: oneOf(ALGORITHMS),
		encoding: oneOf(['hex', 'base64']),
		params: oneOf(['asSent', 'sorted']),
		timestamp: oneOf(['seconds', 'milliseconds']),
		key: oneOf(keyForms(secretKey)),
	};
}
