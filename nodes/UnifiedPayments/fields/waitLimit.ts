import { readEach, type Field, type RawFields } from './field';
import { numberField } from './options';

/** Thirty days: n8n keeps a sleeping execution for longer than any payment takes. */
const MOST_MINUTES = 43_200;

export const waitLimitField = (byDefault: number): Field<number> =>
	numberField(
		{
			displayName: 'Wait Limit (Minutes)',
			name: 'waitLimitMinutes',
			description:
				'How long to wait at most. What is not final by then goes on with the state "timedOut".',
		},
		{ least: 1, most: MOST_MINUTES, byDefault },
	);

/** Of a run that has been checked already. */
export function waitLimitIn(field: Field<number>, raw: RawFields): number {
	const { waitLimitMinutes: read } = readEach({ waitLimitMinutes: field }, raw);
	return read.ok ? read.value : Number(field.property.default);
}
