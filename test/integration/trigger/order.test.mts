import { markedUrl, markOf } from '../../helpers/marks.mts';
import { handled, post, SECRET, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());

interface Said {
	/** The order in the URL that is called. */
	called?: string;
	/** The order in the record's callback URL; null: a URL without one. */
	recorded?: string | null;
	changes?: object;
	body?: object;
	verification?: string;
	options?: { transactionType: string };
}

const RECORD = { ref: 'TX-1', amount: '1500.00', currency: 'KES', status: 'success' };

/** What comes out for a payment whose record and callback say this. */
async function told(said: Said) {
	const { called, recorded, changes, body, verification = 'confirm', options = {} } = said;
	const data: Record<string, unknown> = { ...RECORD, ...changes };
	const { host, credential } = await world.against(data, { verification, options });
	if (recorded !== undefined) {
		data.callback_url = recorded === null ? host.url : markedUrl(host.url, credential, recorded);
	}
	const code = called?.replace(/^order:([\w-]+)/, (_, order: string) => markOf(credential, order));
	const run = await handled(host, body ?? data, {
		query: code === undefined ? '' : `upo=${code}`,
		signWith: SECRET,
	});
	expect(run.status).toBe('success');
	return [...run.callback, ...run.rejected][0]!;
}

const A1 = { orderReference: 'A-1', asked: { amount: 1500, currency: 'KES' }, paidInFull: true };
const NONE = { orderReference: null, asked: null, paidInFull: null };

describe('the order of a payment', () => {
	it.each<[string, Said, object]>([
		["the service's record", { recorded: 'A-1' }, A1],
		['the URL that was called', { called: 'order:A-1' }, A1],
		['the URL, with more behind it', { called: 'order:A-1?status=success' }, A1],
		['the URL, when the record lost it', { recorded: null, called: 'order:A-1' }, A1],
		['nothing, when neither says so', { recorded: null }, NONE],
		[
			'nothing, when only the body says so',
			{ body: { ref: 'TX-1', orderReference: 'A-9', third_party_reference_1: 'A-9' } },
			NONE,
		],
		[
			'an amount that is less',
			{ recorded: 'A-1', changes: { amount: '1499.99' } },
			{ ...A1, paidInFull: false },
		],
	])('comes from %s', async (_, said, expected) => {
		expect(await told(said)).toMatchObject({ verified: 'confirmed', ...expected });
	});

	it.each(['address', 'hmac', 'none'])(
		'with %s comes from the URL, never from the body',
		async (verification) => {
			expect(await told({ verification, called: 'order:A-1' })).toMatchObject(A1);
			// The body may state a callback URL: whoever wrote the body wrote that, too.
			expect(await told({ verification, recorded: 'A-2', called: 'order:A-1' })).toMatchObject(A1);
			if (verification === 'address') return;
			expect(await told({ verification, recorded: 'A-2' })).toMatchObject(NONE);
		},
	);

	it.each(['confirm', 'address', 'hmac', 'none'])(
		'with %s an address whose code does not hold is refused',
		async (verification) => {
			const { host, credential } = await world.against(RECORD, { verification });
			const twice = `${markOf(credential, 'A-1')}&upo=1`;
			for (const mark of ['1A-1.150000KES.AAAAAAAAAAAAAAAA', '', 'x', twice]) {
				const answer = await post(host, RECORD, { query: `upo=${mark}`, signWith: SECRET });
				expect(answer).toMatchObject({ status: 401, json: { reason: 'invalid_mark' } });
			}
			expect(host.stored).toEqual([]);
		},
	);

	it('address demands one', async () => {
		const { host } = await world.against(RECORD, { verification: 'address' });
		expect(await post(host, RECORD)).toMatchObject({ status: 401, json: { reason: 'no_mark' } });
	});

	it('a URL that disagrees with the record is rejected, and says both', async () => {
		expect(await told({ recorded: 'A-1', called: 'order:A-2' })).toMatchObject({
			reason: 'order_mismatch',
			message: expect.stringMatching(/"A-2".*"A-1"/) as unknown,
		});
	});

	it.each(['confirm', 'address', 'hmac', 'none'])(
		'with %s another order that the payment names itself is rejected',
		async (verification) => {
			const named = (third_party_reference_1: unknown) =>
				told({ verification, called: 'order:B-2', changes: { third_party_reference_1 } });
			for (const other of ['A-1', 'b-2', 'B-02', 1042]) {
				expect(await named(other)).toMatchObject({
					event: 'callback.rejected',
					reason: 'order_mismatch',
					reference: 'TX-1',
					mayBecomeTrue: false,
				});
			}
			for (const same of ['B-2', ' B\u200b-2 ', '', null]) {
				expect(await named(same)).toMatchObject({ orderReference: 'B-2', paidInFull: true });
			}
		},
	);

	it.each([
		['beside the name of the transaction', { reference: 'A-1', transaction_id: 'TX-1' }],
		['alone', { ref: 'A-1', amount: 1500, currency: 'KES' }],
	])('may be what the callback calls the payment by, %s', async (_, body) => {
		const changes = { third_party_reference_1: 'A-1' };
		const item = await told({ called: 'order:A-1', changes, body: { ...body, status: 'success' } });
		expect(item).toMatchObject({ event: 'transaction.updated', eventKey: 'TX-1:success', ...A1 });
		// The order of another payment is that of another payment.
		const other = { called: 'order:A-1', changes, body: { ref: 'A-2', status: 'success' } };
		expect(await told(other)).toMatchObject({ reason: 'reference_mismatch' });
	});

	it('a payment that went out is held against its order like one that came in', async () => {
		const changes = { type: 'payout', third_party_reference_1: 'A-1' };
		const options = { transactionType: 'payout' };
		expect(await told({ called: 'order:B-2', changes, options })).toMatchObject({
			reason: 'order_mismatch',
		});
		expect(await told({ called: 'order:A-1', changes, options })).toMatchObject({
			type: 'payout',
			orderReference: 'A-1',
		});
	});
});
