import { COLLECT, HOOK, usePayments } from '../../helpers/payments.mts';

const { run, sandbox } = usePayments();

/** A collection that was paid, as Get of Transaction gives it. */
async function paid({ account = {}, hook = HOOK, simplify = false } = {}) {
	const options = { onDuplicate: 'sendAnyway' };
	await run(COLLECT, [{ amount: 1250.5, order: 'A-1', hook }], { options, account });
	const { ref: reference } = sandbox.state.transactions[0]!;
	sandbox.settle(reference, 'success');
	const get = { resource: 'transaction', operation: 'get', reference, simplify };
	return (await run(get, [{}], { account })).successJson[0]!;
}

const A1 = { orderReference: 'A-1', paidInFull: true };
const ASKED = { asked: { amount: 1250.5, currency: 'KES' } };
const NONE = { orderReference: null, asked: null, paidInFull: null };
const FORGED = `${HOOK}?upo=1A-9.100KES.AAAAAAAAAAAAAAAA`;
const withoutMark = { orderInCallbackUrl: false };

describe('the order of a transaction', () => {
	it('comes with its record', async () => {
		expect(await paid()).toMatchObject({ state: 'success', ...A1, ...ASKED });
		expect(await paid({ simplify: true })).toMatchObject({ state: 'success', ...A1 });
	});

	it('is not known where the service keeps no callback URL, or nothing was put into it', async () => {
		expect(await paid({ account: withoutMark })).toMatchObject(NONE);
		sandbox.change({ records: 'noCallbackUrl' });
		expect(await paid()).toMatchObject(NONE);
		sandbox.reset();
		sandbox.change({ callbackUrls: 'noQuery' });
		expect(await paid()).toMatchObject(NONE);
	});

	it('is not believed when its code was made by somebody else', async () => {
		expect(await paid({ hook: FORGED, account: withoutMark })).toMatchObject(NONE);
	});

	it('replaces one that was typed into the address', async () => {
		expect(await paid({ hook: FORGED })).toMatchObject({ ...A1, ...ASKED });
	});
});
