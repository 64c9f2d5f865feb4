import type { IDataObject } from 'n8n-workflow';

import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { startWire } from '../../helpers/wire.mts';

/** The create never leaves without a signature, so its outcome is clear whatever the signing endpoint says. */
it.each([
	[401, {}, 'rejected'],
	[403, '<html>', 'rejected'],
	[401, { success: false, message: 'Not authorized' }, 'rejected'],
	[400, { success: false, message: 'Please try again later' }, 'rejected'],
	[409, { success: false, message: 'Being processed' }, 'rejected'],
	[500, {}, 'not_sent'],
	[200, { success: true, data: {} }, 'not_sent'],
])('a %d with %j of the signing endpoint is %s', async (status, reply, outcome) => {
	const service = await startWire((_, response) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
	});
	try {
		const { items } = await runPayments(
			{
				resource: 'collection',
				operation: 'create',
				country: 'KE',
				amount: 100,
				mobile: '0712345678',
				orderReference: 'A-1',
			},
			{
				credential: demoCredential(service.url, { signatureSource: 'endpoint' }),
				onError: 'continueRegularOutput',
				workflowId: `unsigned ${service.url}`,
			},
		);
		const { error } = items[0]!.json as { error: IDataObject };
		expect(error.outcome).toBe(outcome);
		expect(service.received.every(({ path }) => path === '/api/service-signature')).toBe(true);
	} finally {
		await service.close();
	}
});
