import { call } from '../../../dev/host/shared/http.mts';
import { admin, collect, createLink, LINK, PATHS, send, signed, start } from './client.mts';

const opened = async () => {
	const sandbox = await start({ mode: 'rich', settleDelayMs: Infinity });
	return {
		sandbox,
		page: async () => (await call(sandbox.url)).text.replace(/\s+/g, ' '),
		press: async (path: string) =>
			await call(`${sandbox.url}/sandbox/page/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/x-www-form-urlencoded' },
			}),
	};
};

const countsOf = (text: string) => /<p id="counts">([^<]*)/.exec(text)?.[1]?.trim();

it('counts payments that were received, not requests, and shows a part payment as a part', async () => {
	const { sandbox, page } = await opened();
	const whole = await createLink(sandbox);
	const part = await createLink(sandbox);
	await createLink(sandbox);
	await admin(sandbox, 'POST', `/links/${whole}/pay`, { outcome: 'success' });
	await admin(sandbox, 'POST', `/links/${part}/pay`, { outcome: 'success', amount: 1000 });
	await collect(sandbox);
	const text = await page();
	expect(countsOf(text)).toMatch(/^3 links · 2 payments received · 1 waiting ·/);
	expect(text.match(/<td class="paid">[^<]*/g)!.sort()).toEqual([
		'<td class="paid">paid',
		'<td class="paid">part paid: 1000.00 of 2500.50 KES',
	]);
	expect(text).toContain('<a href="/pay/');
});

it('shows where a signed text differs', async () => {
	const { sandbox, page } = await opened();
	await signed(sandbox, PATHS.link, LINK, { changed: { sender: 'Demo  Shop' } });
	const text = await page();
	expect(text).toContain('<summary class="failed">refused: ');
	expect(text.match(/<mark>[^<]*<\/mark>/g)).toContain('<mark> </mark>');
});

it('settles what waits and resets by its buttons, and only by those of its own page', async () => {
	const { sandbox, press, page } = await opened();
	const ref = await collect(sandbox);
	expect((await press(`settle/${ref}/reversed`)).status).toBe(404);
	expect((await press(`settle/${ref}/success`)).status).toBe(303);
	expect(sandbox.state.transactions[0]!.state).toBe('success');
	const foreign = { origin: 'https://elsewhere.example' };
	expect((await send(sandbox, '/sandbox/page/reset', '', foreign, 'POST')).status).toBe(403);
	expect(sandbox.state.transactions).toHaveLength(1);
	expect((await press('reset')).status).toBe(303);
	expect(sandbox.state.transactions).toEqual([]);
	expect(countsOf(await page())).toBe('0 links · 0 payments received · 0 waiting · 0 callbacks');
});

it('shows what a request said as text', async () => {
	const { sandbox, page } = await opened();
	await createLink(sandbox, { item_name: '<script>alert(1)</script>"' });
	const text = await page();
	expect(text).not.toContain('<script');
	expect(text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#34;');
});
