import { waitOptionsField } from '../../fields/optionGroups';
import { waitLimitField } from '../../fields/waitLimit';
import { WAITING } from '../../waiting/awaitedLinks';
import { NOT_AS_TOOL, type WaitOperation } from '../../rows/operation';

const waitLimitMinutes = waitLimitField(1440);

export const waitUntilPaid: WaitOperation = {
	kind: 'wait',
	waits: waitLimitMinutes,

	option: {
		name: 'Wait Until Paid',
		value: WAITING,
		action: 'Wait until payment links are paid',
		description:
			'Continue when the links that were created earlier in this execution are paid, or when the time is up: then the state is timedOut. A try that failed does not end the wait.',
		...NOT_AS_TOOL,
	},

	properties: [waitLimitMinutes.property, waitOptionsField],
};
