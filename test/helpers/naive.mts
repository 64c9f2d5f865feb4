import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IHttpRequestOptions, INodeType } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';

/** A credential that signs as ours does, and leaves redirects to the host and to the caller. */
export class NaiveCredential extends UnifiedPaymentsApi {
	override async authenticate(
		...[data, given]: Parameters<UnifiedPaymentsApi['authenticate']>
	): Promise<IHttpRequestOptions> {
		const { body, headers } = await super.authenticate(data, given);
		return { ...given, body, headers };
	}
}

/** The controls as a package of its own, so that a real n8n can load the very same nodes. */
export const NAIVE_PACKAGE = join(process.cwd(), 'test', 'helpers', 'soak', 'naive-package');

const require = createRequire(join(NAIVE_PACKAGE, 'package.json'));

export const { NaivePayments } = require('./NaivePayments.node.js') as {
	NaivePayments: new () => INodeType;
};
export const { NaiveTrigger } = require('./NaiveTrigger.node.js') as {
	NaiveTrigger: new () => INodeType;
};
