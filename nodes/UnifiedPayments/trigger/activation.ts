import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { openCredential } from '../transport/accounts';
import { Redactor } from '../transport/redact';
import { missingIn, readSettings } from './settings';

/**
 * The service has no registration of webhooks: the callback URL travels with every payment. What is
 * left to do when a workflow is activated, or listens for a test event, is to say what is missing.
 */
export const lifecycle = {
	async checkExists(this: IHookFunctions): Promise<boolean> {
		return false;
	},

	async create(this: IHookFunctions): Promise<boolean> {
		const missing = await findMissing(this);
		if (missing === null) return true;
		throw new NodeOperationError(this.getNode(), missing, {
			description:
				'Without it every callback would have to be refused. Fill it in, or choose another verification.',
		});
	},

	async delete(this: IHookFunctions): Promise<boolean> {
		return true;
	},
};

async function findMissing(context: IHookFunctions): Promise<string | null> {
	try {
		await openCredential(context, new Redactor());
		const settings = readSettings({
			verification: context.getNodeParameter('verification', 'confirm'),
			options: context.getNodeParameter('options', {}),
		});
		return missingIn(settings);
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
