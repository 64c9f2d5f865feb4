import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { admin, COLLECTION, LINK, PATHS, signed, start } from './client.mts';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await start({ settleDelayMs: Infinity })));

/** As the nodes of this package write it. */
function callbackUrl(orderReference: string, baseUrl = sandbox.url): string {
	const { clientId, secretKey, title } = sandbox.integrations[0]!;
	const mark = writeMark(
		{ baseUrl, identity: { clientId, secretKey, sender: title } },
		{ orderReference, amount: '2500.5', currency: 'KES' },
		{ key: 'key', by: 'orderReference' },
		{ workflowId: 'w', nodeId: 'n' },
	);
	return withMark('http://127.0.0.1:9/', mark);
}

const ORDER = { reference: 'A-1', amount: 2500.5, currency: 'KES', genuine: true };

it('a link, its payment and the requests about them name the order', async () => {
	// Also when not all of the URL is kept.
	sandbox.change({ callbackUrls: 'noQuery' });
	await signed(sandbox, PATHS.link, { ...LINK, callback_url: callbackUrl('A-1') });
	const [link] = sandbox.state.links;
	expect(link).toMatchObject({ callback_url: 'http://127.0.0.1:9/', order: ORDER });
	await admin(sandbox, 'POST', `/links/${link?.reference}/pay`, { outcome: 'success' });
	expect(sandbox.state.transactions[0]?.order).toEqual(ORDER);
	await signed(sandbox, PATHS.statusV2, { id: link?.reference });
	await signed(sandbox, PATHS.statusV3, { id: link?.reference, type: 'payin' });
	await signed(sandbox, PATHS.balance, {});
	expect(sandbox.state.requests.map(({ order }) => order)).toEqual([null, 'A-1', 'A-1', 'A-1']);
});

it('a collection names it in its callback URL, or else as its first reference', async () => {
	const own = { third_party_reference_1: 'ORDER-1' };
	for (const params of [{ callback_url: callbackUrl('A-1') }, own, {}])
		await signed(sandbox, PATHS.collection, { ...COLLECTION, ...params });
	expect(sandbox.state.transactions.map(({ order }) => order)).toEqual([null, null, ORDER]);
	expect(sandbox.state.requests.map(({ order }) => order)).toEqual([null, 'ORDER-1', 'A-1']);
});
