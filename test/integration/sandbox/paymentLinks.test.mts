import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { admin, defaultOf, LINK, PATHS, send, signed, start, token } from './client.mts';

let spec: Sandbox;
let rich: Sandbox;
beforeAll(async () => {
	[spec, rich] = await Promise.all([start(), start({ mode: 'rich' })]);
});
afterAll(() => Promise.all([spec.close(), rich.close()]));

describe('create payment link', () => {
	it('answers empty data in spec mode', async () => {
		const reply = await signed(spec, PATHS.link, LINK);
		expect(reply.status).toBe(200);
		expect(reply.json).toEqual({
			success: true,
			message: expect.stringMatching(/created/),
			data: {},
		});
	});

	it('answers link and reference in rich mode, and the link opens', async () => {
		const { json } = await signed(rich, PATHS.link, LINK);
		const { link, reference } = json.data as { link: string; reference: string };
		expect(link).toBe(`${rich.url}/pay/${reference}`);
		expect((await fetch(link)).headers.get('content-type')).toMatch(/^text\/html/);
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
		const { json } = await signed(rich, PATHS.link, full);
		const { reference } = json.data as { reference: string };
		const { logo, amount, ...kept } = full;
		const stored = (await admin(rich, 'GET', `/links/${reference}`)).json;
		expect(stored).toMatchObject({ ...kept, amount: Number(amount), hasLogo: true });
		expect(stored.logo).toBe(`data:image/png;base64,${logo}`);
		expect(stored.methods).toEqual(['Mobile operator 1', 'Mobile operator 2']);
	});

	it.each(COUNTRIES.map((country) => [country.name, country] as const))(
		'takes %s',
		async (_, { id, currency }) => {
			const reply = await signed(spec, PATHS.link, {
				...LINK,
				amount: '5000',
				country_id: id,
				currency,
			});
			expect(reply.json).toMatchObject({ success: true });
		},
	);

	it('takes a logo of 2 MB and refuses one byte more', async () => {
		const logo = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
		const most = 2 * 1024 * 1024;
		const good = await signed(spec, PATHS.link, { ...LINK, logo: logo(most) });
		expect(good.json).toMatchObject({ success: true });
		const bad = await signed(spec, PATHS.link, { ...LINK, logo: logo(most + 1) });
		expect(bad.json).toEqual({ success: false, message: 'Payment link was not created.' });
	});

	it.each([
		['amount as a number', { amount: 2500 }],
		['three decimals', { amount: '1.005' }],
		['decimals of a currency without', { amount: '10.50', currency: 'XOF', country_id: 2 }],
		['nothing', { amount: '0' }],
		['a negative amount', { amount: '-5' }],
		['a grouped amount', { amount: '1,000' }],
		['country_id as text', { country_id: '1' }],
		['a broken country_id', { country_id: 1.5 }],
		['an unknown country', { country_id: 5 }],
		['an unknown currency', { currency: 'EUR' }],
		[
			'another country than the currency has',
			{ currency: 'XOF', amount: '10', currency_country_id: 1 },
		],
		['a logo that is no base64', { logo: 'data:image/png;base64,AAAA' }],
		['a callback that is no URL', { callback_url: 'shop' }],
		['a callback with another protocol', { callback_url: 'file:///etc/passwd' }],
		['null', { email: null }],
		['an unknown field', { colour: 'red' }],
		['no business name', { business_name: undefined }],
		['a blank item name', { item_name: ' ' }],
	])('refuses %s', async (_, changed) => {
		const reply = await signed(spec, PATHS.link, { ...LINK, ...changed });
		expect(reply.json).toEqual({ success: false, message: 'Payment link was not created.' });
	});
});

describe('list payment links', () => {
	it('lists the caller’s links only, newest first', async () => {
		const sandbox = await start();
		const [, second] = sandbox.integrations;
		await signed(sandbox, PATHS.link, { ...LINK, item_name: 'one' });
		await signed(sandbox, PATHS.link, { ...LINK, item_name: 'two' });
		await signed(sandbox, PATHS.link, { ...LINK, item_name: 'other' }, { integration: second });
		const names = async (integration = defaultOf(sandbox)) => {
			const authorization = `Bearer ${await token(sandbox, integration)}`;
			const reply = await send(sandbox, PATHS.list, null, { authorization });
			expect(reply.json.success).toBe(true);
			return (reply.json.data as { item_name: string }[]).map(({ item_name }) => item_name);
		};
		expect(await names()).toEqual(['two', 'one']);
		expect(await names(second)).toEqual(['other']);
		await sandbox.close();
	});

	it('needs no token when authentication is off, and lists the first integration’s', async () => {
		const sandbox = await start({ listAuthentication: 'none' });
		await signed(sandbox, PATHS.link, LINK);
		await signed(sandbox, PATHS.link, LINK, { integration: sandbox.integrations[1] });
		const reply = await send(sandbox, PATHS.list, null);
		expect(reply.json).toMatchObject({ success: true, data: [{ amount: '2500.50' }] });
		await sandbox.close();
	});
});
