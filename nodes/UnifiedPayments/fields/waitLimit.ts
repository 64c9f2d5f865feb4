import type { IExecuteFunctions } from 'n8n-workflow';

import { readFields, type Field } from './field';
import { numberField } from './optionKinds';

/** Thirty days: n8n keeps a sleeping execution for longer than any payment takes. */
const MAX_MINUTES = 43_200;

export const waitLimitField = (initial: number): Field<number> =>
	numberField(
		{
			displayName: 'Wait Limit (Minutes)',
			name: 'waitLimitMinutes',
			description: `How long to wait at most. What is not final by then goes on with the state "timedOut", and may be paid all the same: ask with 'Transaction: Get' before you remind anybody.`,
		},
		{ min: 1, max: MAX_MINUTES, default: initial },
	);

/** Of the first row: it holds for the run as a whole. */
export const waitLimitIn = (context: IExecuteFunctions, field: Field<number>): number =>
	readFields(
		{ waitLimitMinutes: field },
		{ waitLimitMinutes: context.getNodeParameter('waitLimitMinutes', 0, '') },
	).waitLimitMinutes;
