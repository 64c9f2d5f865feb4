import { DEMO_INTEGRATIONS } from '../../../sandbox/index.mts';
import { runNode, seenDuring, useDemo } from './support.mts';

const demo = useDemo();

const rows = DEMO_INTEGRATIONS.map(({ clientId, title, secretKey, signature }, nth) => ({
	clientId,
	sender: title,
	secretKey,
	algorithm: signature?.algorithm ?? 'sha256',
	encoding: signature?.encoding ?? 'hex',
	amount: nth + 1,
}));

test('each row is sent from the account that it names', async () => {
	const { host, sandbox, credential } = demo();
	const byRow = await host.client.createCredential('By row', credential.type, {
		baseUrl: sandbox.url,
		clientId: '={{ $json.clientId }}',
		sender: '={{ $json.sender }}',
		secretKey: '={{ $json.secretKey }}',
		signatureAlgorithm: '={{ $json.algorithm }}',
		signatureEncoding: '={{ $json.encoding }}',
	});
	const seen = await seenDuring(demo(), async () => {
		const run = await runNode(
			demo(),
			{
				resource: 'collection',
				operation: 'create',
				country: 'KE',
				amount: '={{ $json.amount }}',
				mobile: '0712 345678',
			},
			{ rows, credential: byRow },
		);
		expect(run.failure?.message).toBeUndefined();
		expect(run.json('Success').map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
	});

	expect(seen.map(({ integration }) => integration).sort()).toEqual(['demo', 'second']);
	expect(seen.every(({ verdict }) => verdict?.ok)).toBe(true);
});
