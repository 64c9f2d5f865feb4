import type { IDataObject } from 'n8n-workflow';

import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { json, startWire, type Wire } from '../../helpers/wire.mts';

/** A callback token that is also the beginning of every reference. */
const TOKEN = 'aminashop';
const REFERENCE = 'aminashop-1042';
const HOOK = `https://shop.example.com/hook?token=${TOKEN}`;

let service: Wire;
const credential = () => demoCredential(service.url, { callbackToken: TOKEN });
const paramsOf = (nth: number) => (service.received[nth]!.json as { params: IDataObject }).params;

afterEach(async () => await service.close());

it('a transaction is asked for, matched and shown by its true reference', async () => {
	service = await startWire((_, response) =>
		json(response, 200, {
			success: true,
			message: 'Found.',
			data: {
				ref: REFERENCE,
				status: 'success',
				amount: '10.00',
				callback_url: HOOK,
				note: TOKEN,
				mobile: '254712345678',
			},
		}),
	);
	const result = await runPayments(
		{ resource: 'transaction', operation: 'get', reference: REFERENCE, simplify: false },
		{ credential: credential() },
	);
	expect(paramsOf(0)).toEqual({ id: REFERENCE, type: 'payin' });
	expect(result.nodeError?.message).toBeUndefined();
	expect(result.successJson).toMatchObject([
		{
			ref: REFERENCE,
			state: 'success',
			callback_url: 'https://shop.example.com/hook?token=***',
			note: '***',
		},
	]);
});

it('a list is shown with its references whole and its tokens masked', async () => {
	service = await startWire(({ path }, response) =>
		json(response, 200, {
			success: true,
			data: path.endsWith('get-token')
				? { token: 'canary-bearer-token' }
				: [{ reference: REFERENCE, callback_url: HOOK, echo: 'canary-bearer-token' }],
		}),
	);
	const result = await runPayments(
		{ resource: 'paymentLink', operation: 'getAll', returnAll: true },
		{ credential: credential() },
	);
	expect(result.successJson).toEqual([
		{
			reference: REFERENCE,
			callback_url: 'https://shop.example.com/hook?token=***',
			echo: '***',
		},
	]);
});

it('a create shows the reference that was given to it', async () => {
	service = await startWire((_, response) =>
		json(response, 200, {
			success: true,
			message: `Made ${REFERENCE}`,
			data: { reference: REFERENCE, third_party_reference_1: REFERENCE, callback_url: HOOK },
		}),
	);
	const result = await runPayments(
		{
			resource: 'collection',
			operation: 'create',
			country: 'KE',
			amount: 10,
			mobile: '0712345678',
			callbackUrl: 'https://shop.example.com/hook',
			orderReference: REFERENCE,
		},
		{ credential: credential() },
	);
	const sent = paramsOf(0);
	expect(sent).toMatchObject({
		third_party_reference_1: REFERENCE,
		callback_url: expect.stringMatching(
			/hook\?token=aminashop&upo=1aminashop-1042\.1000KES[\w-]{4}\.[\w-]{16}$/,
		),
	});
	const mark = String(sent.callback_url).replace(/.*&upo=/, '');
	expect(result.successJson).toMatchObject([
		{
			outcome: 'accepted',
			message: `Made ${REFERENCE}`,
			reference: REFERENCE,
			data: { reference: REFERENCE, callback_url: 'https://shop.example.com/hook?token=***' },
			request: {
				third_party_reference_1: REFERENCE,
				callback_url: `https://shop.example.com/hook?upo=${mark}`,
			},
		},
	]);
	expect(JSON.stringify(result.run)).not.toContain(`token=${TOKEN}`);
});
