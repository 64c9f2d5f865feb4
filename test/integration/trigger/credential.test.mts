import { EngineCredentials } from '../../../dev/host/engine/credentials.mts';
import { post, recordOf, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());
afterEach(() => jest.restoreAllMocks());

const KEEP_MS = 30_000;
const FIRST = 'the-first-token-of-ours';
const SECOND = 'the-second-token-of-ours';

/** An endpoint whose callbacks stay stored, so that only the endpoint reads the credential. */
async function serve() {
	const credential = world.credential({ callbackToken: FIRST });
	const host = await world.serve({}, { credential, execute: false });
	const record = recordOf(await world.collect());
	const reads = jest.spyOn(EngineCredentials.prototype, 'getDecrypted');
	return {
		credential,
		reads,
		send: async (token: string) => (await post(host.url, record, { token })).status,
	};
}

const later = (ms: number) => {
	const now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now + ms);
};

it('is read once for many callbacks', async () => {
	const { send, reads } = await serve();
	const together = await Promise.all(Array.from({ length: 8 }, async () => await send(FIRST)));
	for (let i = 0; i < 8; i++) together.push(await send(FIRST));

	expect(new Set(together)).toEqual(new Set([200]));
	expect(reads).toHaveBeenCalledTimes(1);
});

it('is read anew before anything is refused', async () => {
	const { send, reads } = await serve();
	await send(FIRST);

	expect([await send('wrong'), await send('wrong')]).toEqual([401, 401]);
	expect(reads).toHaveBeenCalledTimes(3);
	expect(await send(FIRST)).toBe(200);
});

it('with a new token: the new one counts at once, and the old one no more', async () => {
	const { credential, send } = await serve();
	await send(FIRST);
	credential.callbackToken = SECOND;

	expect(await send(SECOND)).toBe(200);
	expect(await send(FIRST)).toBe(401);
});

it('with a new token that nobody has used yet: the old one counts for half a minute at the most', async () => {
	const { credential, send } = await serve();
	await send(FIRST);
	credential.callbackToken = SECOND;
	expect(await send(FIRST)).toBe(200);

	later(KEEP_MS);
	expect(await send(FIRST)).toBe(401);
});

it('with a token that is no text: refused at once when set, accepted at once when mended', async () => {
	const { credential, send } = await serve();
	credential.callbackToken = 5;
	expect(await send(FIRST)).toBe(403);

	credential.callbackToken = FIRST;
	expect(await send(FIRST)).toBe(200);
});
