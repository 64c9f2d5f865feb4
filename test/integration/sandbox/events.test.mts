import { admin, createLink, COLLECTION, PATHS, signed, start, until } from './client.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await start({ mode: 'rich' }));
afterEach(() => sandbox.reset());

describe('events', () => {
	it('tell every change as it happens', async () => {
		const controller = new AbortController();
		const stream = await fetch(`${sandbox.url}/sandbox/events`, { signal: controller.signal });
		expect(stream.headers.get('content-type')).toBe('text/event-stream');
		let text = '';
		const reading = (async () => {
			const decoder = new TextDecoder();
			for await (const chunk of stream.body ?? []) text += decoder.decode(chunk as Uint8Array);
		})().catch(() => undefined);
		const events = () =>
			[...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => ({
				name,
				data: JSON.parse(data ?? '') as Record<string, unknown>,
			}));

		sandbox.faults.add({ kind: 'html', nth: 99 });
		const reference = await createLink(sandbox, { callback_url: 'http://127.0.0.1:9/' });
		await admin(sandbox, 'POST', `/links/${reference}/pay`, { outcome: 'success' });
		await signed(sandbox, PATHS.collection, COLLECTION, { changed: { signature: 'x' } });
		sandbox.reset();
		await until(() => events().some(({ name }) => name === 'reset'));
		controller.abort();
		await reading;

		const data = (wanted: string) =>
			events().flatMap(({ name, data: one }) => (name === wanted ? [one] : []));
		expect(data('fault')[0]).toMatchObject({ kind: 'html' });
		expect(data('link').map(({ state }) => state)).toEqual(['open', 'paid']);
		expect(data('transaction').map(({ status }) => status)).toEqual(['pending', 'success']);
		expect(data('wallet')[0]).toMatchObject({ currency: 'KES', balance: 12_462.99 });
		expect(data('callback')[0]).toMatchObject({ reference, status: 'pending' });
		expect(data('request').at(-1)).toMatchObject({ verdict: { ok: false } });
	});
});
