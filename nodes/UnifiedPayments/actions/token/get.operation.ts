import { readOptionsField } from '../../fields/optionGroups';
import { NOT_AS_TOOL, type ReadOperation } from '../../rows/operation';

export const get: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get',
		value: 'get',
		action: 'Get token',
		description: 'Exchange client ID and secret key of the credential for an API token',
		...NOT_AS_TOOL,
	},

	properties: [
		{
			displayName: 'The token is a secret. It is saved with the data of this execution.',
			name: 'tokenNotice',
			type: 'notice',
			default: '',
		},
		readOptionsField,
	],

	async run(_, options, client) {
		const { token, message } = await client.token(options);
		return [{ token, message }];
	},
};
