import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await startSandbox({ settleDelayMs: Infinity }));

beforeEach(() => sandbox.reset());

const HOOK = 'https://n8n.example.com/webhook/pay';

/** A collection that was paid, as Get of Transaction gives it. */
async function paid({
	order = 'A-1',
	settings = {},
	hook = HOOK,
	simplify = false,
}: {
	order?: string;
	settings?: { orderInCallbackUrl?: boolean };
	hook?: string;
	simplify?: boolean;
} = {}): Promise<IDataObject> {
	const credential = demoCredential(sandbox.url, settings);
	await runPayments(
		{
			resource: 'collection',
			operation: 'create',
			country: 'KE',
			amount: 1250.5,
			mobile: '0712345678',
			callbackUrl: hook,
			orderReference: order,
			options: { onDuplicate: 'sendAnyway' },
		},
		{ credential },
	);
	const { ref } = sandbox.state.transactions[0]!;
	sandbox.settle(ref, 'success');
	const { successJson } = await runPayments(
		{ resource: 'transaction', operation: 'get', reference: ref, simplify },
		{ credential },
	);
	return successJson[0]!;
}

const A1 = { orderReference: 'A-1', asked: { amount: 1250.5, currency: 'KES' }, paidInFull: true };
const NONE = { orderReference: null, asked: null, paidInFull: null };

describe('the order of a transaction', () => {
	it.each([true, false])('comes with its record, simplified: %s', async (simplify) => {
		const { asked, ...order } = A1;
		expect(await paid({ simplify })).toMatchObject({
			state: 'success',
			...order,
			...(simplify ? {} : { asked }),
		});
	});

	it('is not known where the service keeps no callback URL, or nothing was put into it', async () => {
		sandbox.change({ records: 'noCallbackUrl' });
		expect(await paid()).toMatchObject(NONE);
		sandbox.reset();
		expect(await paid({ settings: { orderInCallbackUrl: false } })).toMatchObject(NONE);
		sandbox.reset();
		sandbox.change({ callbackUrls: 'noQuery' });
		expect(await paid()).toMatchObject(NONE);
	});

	it('is not believed when its code was made by somebody else', async () => {
		const forged = `${HOOK}?upo=1A-9.100KES.AAAAAAAAAAAAAAAA`;
		expect(await paid({ hook: forged, settings: { orderInCallbackUrl: false } })).toMatchObject(
			NONE,
		);
	});

	it('replaces one that was typed into the address', async () => {
		expect(await paid({ hook: `${HOOK}?upo=1A-9.100KES.AAAAAAAAAAAAAAAA` })).toMatchObject(A1);
	});
});
