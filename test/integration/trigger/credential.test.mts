import { EngineCredentials } from '../../../dev/host/engine/credentials.mts';
import { markedQuery } from '../../helpers/marks.mts';
import { post, recordOf, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());
afterEach(() => jest.restoreAllMocks());

const KEEP_MS = 30_000;
const GAP_MS = 1_000;
const FIRST = 'the-first-key-of-ours';
const SECOND = 'the-second-key-of-ours';

/** An endpoint whose callbacks stay stored, so that only the endpoint reads the credential. */
async function serve() {
	const credential = world.credential({ secretKey: FIRST });
	const host = await world.serve({}, { credential, execute: false });
	const record = recordOf(await world.collect());
	const reads = jest.spyOn(EngineCredentials.prototype, 'getDecrypted');
	return {
		credential,
		reads,
		/** To an address whose mark was made with this key. */
		send: async (secretKey: string) => {
			const query = markedQuery({ ...credential, secretKey }, 'A-1');
			return (await post(host, record, { query })).status;
		},
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

	expect(await send('wrong')).toBe(401);
	later(GAP_MS);
	expect([await send('wrong'), await send('wrong')]).toEqual([401, 401]);
	// At most once in a second.
	expect(reads).toHaveBeenCalledTimes(2);
	expect(await send(FIRST)).toBe(200);
});

it('with a new key: the new one counts within a second, and the old one no more', async () => {
	const { credential, send } = await serve();
	await send(FIRST);
	credential.secretKey = SECOND;
	later(GAP_MS);

	expect(await send(SECOND)).toBe(200);
	expect(await send(FIRST)).toBe(401);
});

it('with a new key that nobody has used yet: the old one counts for half a minute at the most', async () => {
	const { credential, send } = await serve();
	await send(FIRST);
	credential.secretKey = SECOND;
	expect(await send(FIRST)).toBe(200);

	later(KEEP_MS);
	expect(await send(FIRST)).toBe(401);
});

it('with a key that is no text: refused at once when set, accepted at once when mended', async () => {
	const { credential, send } = await serve();
	credential.secretKey = 5;
	expect(await send(FIRST)).toBe(403);

	credential.secretKey = FIRST;
	expect(await send(FIRST)).toBe(200);
});
