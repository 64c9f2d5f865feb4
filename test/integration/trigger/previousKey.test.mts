import { json } from '../../helpers/wire.mts';
import { createLinks, everythingOf, found, post, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const OLD = 'sk-before-somebody-left';
const NEW = 'sk-after-somebody-left';
const RECORD = { ref: 'TX-1', amount: '1500.00', currency: 'KES', status: 'success' };

const world = throughout(async () => await World.start());

/** What comes out for a link that was made with the old key and paid after the change. */
async function paidAfterTheChange(changes: { secretKey: string; previousSecretKey?: string }) {
	let callbackUrl = '';
	const service = await world.wire(({ path, json: body }, response) => {
		if (!path.endsWith('/payment-link-api/create')) {
			return json(response, 200, found(RECORD));
		}
		callbackUrl = (body as { params: { callback_url: string } }).params.callback_url;
		const data = { link: 'https://pay.example.com/l/1' };
		return json(response, 200, { success: true, message: 'Created.', data });
	});
	const before = world.credential({ baseUrl: service.url, secretKey: OLD });
	const link = { callbackUrl: 'https://n8n.example.com/webhook/pay', orderReference: 'A-1' };
	await createLinks({ amount: 1500, ...link }, before);
	const host = await world.serve({}, { credential: { ...before, ...changes } });
	const { status } = await post(host, RECORD, { query: new URL(callbackUrl).search.slice(1) });
	await host.idle();
	for (const { text, path } of service.received.slice(1)) expect(text + path).not.toContain(OLD);
	expect(everythingOf(host)).not.toContain(OLD);
	return { status, run: host.runs.at(-1) };
}

it('with the previous key, the payment of an open link has its order', async () => {
	const { run } = await paidAfterTheChange({ secretKey: NEW, previousSecretKey: OLD });
	expect(run!.callback).toMatchObject([{ orderReference: 'A-1', paidInFull: true }]);
	expect(run!.rejected).toEqual([]);
});

it.each([undefined, '', 'sk-of-somebody-else'])('with %j for it, it is refused', async (key) => {
	const { status, run } = await paidAfterTheChange({ secretKey: NEW, previousSecretKey: key });
	expect([status, run]).toEqual([401, undefined]);
});
