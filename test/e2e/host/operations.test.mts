import { DEMO_INTEGRATIONS } from '../../../dev/sandbox/index.mts';
import { runNode, seenDuring, useDemo } from './support.mts';

const demo = useDemo({ mode: 'rich' });

test('a sheet is read by its headings; what is ignored is a hint', async () => {
	const rows = Array.from({ length: 60 }, (_, index) => ({
		Country: 'Kenya',
		'Phone Number': `07${String(10_000_000 + index)}`,
		'Amount (KES)': 100 + index,
		'Order No': `ORDER-${index}`,
		Notes: '',
	}));
	const parameters = {
		resource: 'collection',
		operation: 'create',
		inputMode: 'columns',
		columns: { mappingMode: 'autoMapInputData', value: null },
	};
	const run = await runNode(demo(), parameters, { rows });

	expect(run.json('Success').map(({ outcome }) => outcome)).toEqual(Array(60).fill('accepted'));
	expect(run.hints('Node').join()).toContain('Ignored: "Notes"');
});

test('each row is sent from the account that it names', async () => {
	const rows = DEMO_INTEGRATIONS.map(({ clientId, title, secretKey, signature }, nth) => ({
		clientId,
		sender: title,
		secretKey,
		algorithm: signature?.algorithm ?? 'sha256',
		encoding: signature?.encoding ?? 'hex',
		amount: nth + 1,
	}));
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
