import { admin, createLink, PATHS, signed, start, until } from './client.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await start({ mode: 'rich' }));
afterEach(() => sandbox.reset());

describe('payment links', () => {
	it.each([
		['success', 'paid', 'success', null],
		['failed', 'failed', 'failed', 'DECLINED'],
		['cancelled', 'cancelled', 'failed', 'USER_CANCELLED'],
	])('%s', async (outcome, state, status, failureCode) => {
		const redirection_url = 'https://shop.example/back?order=1#top';
		const reference = await createLink(sandbox, { redirection_url });
		const pay = () =>
			admin(sandbox, 'POST', `/links/${reference}/pay`, {
				outcome,
				method: 'Pay bill',
				mobile: '254700000001',
			});
		const reply = await pay();
		expect(reply.json).toMatchObject({
			state,
			redirect: `https://shop.example/back?order=1&reference=${reference}&status=${state}#top`,
			transaction: {
				kind: 'link',
				ref: reference,
				status,
				amount: 2500.5,
				mobile: '254700000001',
				payment_channel: 'Pay bill',
				failureReason: { failureCode },
			},
		});
		expect(sandbox.state.links[0]).toMatchObject({ state, transaction: reference });
		expect(await pay()).toMatchObject({ status: 409, json: { success: false } });
		expect(sandbox.state.transactions).toHaveLength(1);
		const known = await signed(sandbox, PATHS.statusV3, { id: reference, type: 'payin' });
		expect(known.json.data).toMatchObject({ status });
		const moved = status === 'success' ? 2500.5 - 37.51 : 0;
		expect(sandbox.state.wallets[0]?.balance).toBe(10_000 + moved);
	});

	it('can be paid in part', async () => {
		const reference = await createLink(sandbox);
		const part = { outcome: 'success', amount: 1000 };
		const { json } = await admin(sandbox, 'POST', `/links/${reference}/pay`, part);

		expect(json.transaction).toMatchObject({ ref: reference, status: 'success', amount: 1000 });
		expect(sandbox.state.links[0]).toMatchObject({ amount: 2500.5, paid: 1000 });
		expect(sandbox.state.wallets[0]?.balance).toBe(10_000 + 1000 - 15);
	});

	it('have no transaction before they are paid', async () => {
		const id = await createLink(sandbox);
		const reply = await signed(sandbox, PATHS.statusV3, { id, type: 'payin' });
		expect(reply.json).toMatchObject({ success: false, message: 'Transaction was not created!' });
	});

	it('call back when paid, and redirect nowhere without an address', async () => {
		const reference = await createLink(sandbox, { callback_url: 'http://127.0.0.1:9/cb' });
		const { json } = await admin(sandbox, 'POST', `/links/${reference}/pay`, {
			outcome: 'success',
		});
		expect(json.redirect).toBeNull();
		await until(() => sandbox.state.callbacks[0]?.reference === reference);
	});

	it('offer the methods of the payer’s country', async () => {
		const methods = async (params: object) => {
			const reference = await createLink(sandbox, { amount: '100', ...params });
			return (await admin(sandbox, 'GET', `/links/${reference}`)).json.methods;
		};
		expect(await methods({})).toEqual(['Till number', 'Pay bill', 'Bank transfer', 'Send money']);
		expect(await methods({ country_id: 17, currency: 'NGN' })).toEqual(['Bank']);
		expect(await methods({ currency: 'TZS' })).toHaveLength(3);
		expect(await methods({ currency: 'XOF', currency_country_id: 2 })).toHaveLength(1);
	});

	it.each([
		['POST', '/links/none/pay', { outcome: 'success' }, 404],
		['GET', '/links/none', undefined, 404],
		['POST', '/transactions/none/settle', { status: 'success' }, 404],
		['POST', '/callbacks/none/redeliver', {}, 404],
		['DELETE', '/faults/none', undefined, 404],
		['POST', '/payouts', { integration: 'none' }, 404],
		['POST', '/payouts', { amount: -1 }, 400],
		['POST', '/faults', { kind: 'earthquake' }, 400],
		['POST', '/faults', { kind: 'html', wrong: 1 }, 400],
		['POST', '/faults/plan', { seed: 1 }, 400],
		['GET', '/nothing', undefined, 404],
	])('%s %s %j is answered with %i', async (method, path, body, status) => {
		const reply = await admin(sandbox, method, path, body);
		expect(reply).toMatchObject({
			status,
			json: { success: false, message: expect.any(String) },
		});
	});

	it('refuses outcomes it does not know', async () => {
		const reference = await createLink(sandbox);
		for (const body of [
			{},
			{ outcome: 'won' },
			{ outcome: 'success', tip: 1 },
			{ outcome: 'success', mobile: '12' },
			{ outcome: 'success', mobile: 'Amina' },
		])
			expect((await admin(sandbox, 'POST', `/links/${reference}/pay`, body)).status).toBe(400);
		expect(sandbox.state.links[0]?.state).toBe('open');
	});
});
