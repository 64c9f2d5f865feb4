import { isBlank } from '../../fields/field';
import { showGiven } from '../../fields/inputError';
import type { Json } from '../../protocol/parse';
import { sameValue } from '../../payment/sameValue';
import { reject, type Rejection, type RejectionReason } from './rejection';

const COMPARED: ReadonlyArray<[field: string, reason: RejectionReason]> = [
	['ref', 'reference_mismatch'],
	['third_party_reference_1', 'reference_mismatch'],
	['third_party_reference_2', 'reference_mismatch'],
	['amount', 'amount_mismatch'],
	['currency', 'currency_mismatch'],
];

/** What the callback states and the service's record states otherwise; null when nothing does. */
export function compare(path: readonly Json[], record: Json, reference: string): Rejection | null {
	for (const [field, reason] of COMPARED) {
		const actual = record[field];
		if (isBlank(actual)) continue;
		const other = path.find(
			(each) => !isBlank(each[field]) && !sameValue(field, each[field], actual),
		);
		if (other) {
			const message = `The callback states ${showGiven(other[field])} as ${field}, the service ${showGiven(actual)}`;
			return reject(reason, message, reference);
		}
	}
	return null;
}
