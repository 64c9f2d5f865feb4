import { call } from '../../../dev/host/shared/http.mts';
import { throughout } from '../../helpers/throughout.mts';
import { admin, createLink, LINK, listed, PATHS, signed, start } from './client.mts';

const spec = throughout(async () => await start());
const rich = throughout(async () => await start({ mode: 'rich' }));
afterEach(() => {
	spec.reset();
	rich.reset();
});

const CREATED = { success: true, message: expect.stringMatching(/created/), data: {} };
const REFUSED = { success: false, message: 'Payment link was not created.' };

describe('create', () => {
	it('answers empty data in spec mode; link and reference in rich mode, and the link opens', async () => {
		const plain = await signed(spec, PATHS.link, LINK);
		expect([plain.status, plain.json]).toEqual([200, CREATED]);
		const { json } = await signed(rich, PATHS.link, LINK);
		const { link, reference } = json.data as { link: string; reference: string };
		expect(link).toBe(`${rich.url}/pay/${reference}`);
		expect((await call(link)).headers['content-type']).toMatch(/^text\/html/);
	});

	it('takes every field of the specification and keeps it', async () => {
		const full = {
			...LINK,
			callback_url: 'https://shop.example/cb?x=1',
			redirection_url: 'https://shop.example/thanks',
			currency: 'XOF',
			amount: '1000',
			country_id: 9,
			currency_country_id: 3,
			logo: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64'),
			first_name: 'Zoë',
			last_name: "N'Diaye",
			email: 'zoe@example.com',
			phone: '221701234567',
		};
		const stored = (await admin(rich, 'GET', `/links/${await createLink(rich, full)}`)).json;
		const logo = `data:image/png;base64,${full.logo}`;
		expect(stored).toMatchObject({ ...full, amount: 1000, logo, hasLogo: true });
	});

	it.each([
		['amount as a number', { amount: 2500 }],
		['three decimals', { amount: '1.005' }],
		['decimals of a currency without', { amount: '10.50', currency: 'XOF', country_id: 2 }],
		['nothing', { amount: '0' }],
		['country_id as text', { country_id: '1' }],
		['an unknown country', { country_id: 5 }],
		['another currency’s country', { currency: 'XOF', amount: '10', currency_country_id: 1 }],
		['a logo that is no base64', { logo: 'data:image/png;base64,AAAA' }],
		['a callback with another protocol', { callback_url: 'file:///etc/passwd' }],
		['null', { email: null }],
		['an unknown field', { colour: 'red' }],
		['no business name', { business_name: undefined }],
	])('refuses %s', async (_, changed) => {
		expect((await signed(spec, PATHS.link, { ...LINK, ...changed })).json).toEqual(REFUSED);
	});
});

it('lists the caller’s links only, newest first', async () => {
	const [, second] = spec.integrations;
	for (const item_name of ['one', 'two']) await signed(spec, PATHS.link, { ...LINK, item_name });
	const other = { ...LINK, item_name: 'other' };
	await signed(spec, PATHS.link, other, { integration: second });
	expect(await listed(spec)).toMatchObject([{ item_name: 'two' }, { item_name: 'one' }]);
	expect(await listed(spec, second)).toMatchObject([{ item_name: 'other' }]);
});

const pay = (reference: string, body: object) =>
	admin(rich, 'POST', `/links/${reference}/pay`, body);

it.each([
	['success', 'paid', 'success', null, 2500.5 - 37.51],
	['failed', 'failed', 'failed', 'DECLINED', 0],
	['cancelled', 'cancelled', 'failed', 'USER_CANCELLED', 0],
])('a link that is paid: %s', async (outcome, state, status, failureCode, moved) => {
	const id = await createLink(rich, { redirection_url: 'https://shop.example/b?order=1#top' });
	const unpaid = await signed(rich, PATHS.statusV3, { id, type: 'payin' });
	expect(unpaid.json).toMatchObject({ message: 'Transaction was not created!' });
	const how = { outcome, method: 'Pay bill', mobile: '254700000001' };
	expect((await pay(id, how)).json).toMatchObject({
		state,
		redirect: `https://shop.example/b?order=1&reference=${id}&status=${state}#top`,
		transaction: {
			kind: 'link',
			ref: id,
			status,
			amount: 2500.5,
			mobile: '254700000001',
			payment_channel: 'Pay bill',
			failureReason: { failureCode },
		},
	});
	expect(rich.state.links[0]).toMatchObject({ state, transaction: id });
	// Whoever failed may try again.
	expect((await pay(id, how)).status).toBe(outcome === 'success' ? 409 : 200);
	expect(rich.state.transactions).toHaveLength(1);
	const known = await signed(rich, PATHS.statusV3, { id, type: 'payin' });
	expect(known.json.data).toMatchObject({ status });
	expect(rich.state.wallets[0]?.balance).toBe(10_000 + moved);
});
