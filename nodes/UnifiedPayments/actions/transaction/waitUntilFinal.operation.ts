import { propertiesOf, readFields } from '../../fields/field';
import { pollOptionsField } from '../../fields/optionGroups';
import { numberField } from '../../fields/optionKinds';
import { chosenOutput, simplifyProperty } from '../../fields/simplify';
import { isFinal, TIMED_OUT, type State } from '../../payment/state';
import { simplifyTransaction } from '../../payment/record';
import type { Json } from '../../protocol/parse';
import { TimedOutError } from '../../transport/errors';
import { recordIn } from '../../transport/status';
import { NOT_AS_TOOL, type PollOperation } from '../../rows/operation';
import { askForStatus, describeTransaction, FIELDS } from './get.operation';

const WAIT_FIELDS = {
	maxWaitSeconds: numberField(
		{
			displayName: 'Max Wait (Seconds)',
			name: 'maxWaitSeconds',
			description:
				'How long to keep asking, in total. The execution keeps running meanwhile. To wait longer, use an operation that lets it sleep.',
		},
		{ min: 1, max: 3600, default: 120 },
	),
	intervalSeconds: numberField(
		{
			displayName: 'Interval (Seconds)',
			name: 'intervalSeconds',
			description:
				'How long to wait before the service is asked again. Each item is asked about at most once in this time.',
		},
		{ min: 1, max: 600, default: 5 },
	),
};

export const waitUntilFinal: PollOperation = {
	kind: 'poll',

	option: {
		name: 'Wait Until Final',
		value: 'waitUntilFinal',
		action: 'Wait until transaction is final',
		description: 'Ask for the status again and again, until the payment has succeeded or failed',
		...NOT_AS_TOOL,
	},

	properties: [
		...propertiesOf(FIELDS),
		...propertiesOf(WAIT_FIELDS),
		simplifyProperty,
		pollOptionsField,
	],

	prepare(raw, options) {
		const asked = readFields({ ...FIELDS, ...WAIT_FIELDS }, raw);
		const { reference, maxWaitSeconds, intervalSeconds } = asked;
		const shown = (json: Json) => chosenOutput(raw, json, 'ref', simplifyTransaction);
		return {
			longestMs: maxWaitSeconds * 1000,
			intervalMs: intervalSeconds * 1000,
			async look(client) {
				// One question at a time: the next one follows after the interval anyway.
				const question = askForStatus(client, asked, { ...options, maxRetries: 0 });
				const record = await recordIn(question);
				if (record === null) return null;
				const json = await describeTransaction(record, reference, client);
				return { json, isFinal: isFinal(json.state as State) };
			},
			found: shown,
			timedOut(last) {
				if (options.onTimeout === 'error') {
					throw new TimedOutError(reference, maxWaitSeconds, last?.status ?? null);
				}
				return shown({ ...(last ?? { ref: reference }), state: TIMED_OUT });
			},
		};
	},
};
