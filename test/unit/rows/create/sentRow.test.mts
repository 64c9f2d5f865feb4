import { paymentOf, takenAfterAll } from '../../../../nodes/UnifiedPayments/rows/create/sentRow.ts';

const LIST = { name: 'payment link', lookUp: 'list', noReply: {} };
const STATUS = { name: 'collection', lookUp: 'orderReference', noReply: {} };
const URL = 'https://n8n.example.com/webhook/pay';
const PARAMS = { callback_url: URL, mobile: '254712345678', third_party_reference_1: 'A-1' };

const rowOf = (
	claimResult = 'mine',
	{ params = {}, ...request }: { params?: object; [name: string]: unknown } = {},
) =>
	({
		claimResult,
		result: { items: [{ reference: 'PL-1', data: { reference: 'PL-1' } }] },
		request: {
			...{ key: { key: 'k', by: 'orderReference' }, isCompared: true, options: {} },
			prepared: {
				params: { ...PARAMS, ...params },
				payment: { orderReference: 'A-1', amount: '10', currency: 'KES' },
				shown: { amount: '10', callback_url: `${URL}?mine` },
			},
			...request,
		},
	}) as never;

describe('what may name the payment of a row', () => {
	const nameOf = (row: never, operation = LIST) => paymentOf(operation as never, row);

	it('is what was sent, and what the reply said', () => {
		expect(nameOf(rowOf(), STATUS)).toEqual({
			...{ reference: 'PL-1', referenceField: 'reference', callbackUrl: URL, sentBefore: false },
			...{ orderReference: 'A-1', ownReference: 'A-1', isOneOfSeveral: false },
			...{ mayBeTriedAgain: false, amount: '10', currency: 'KES', mobile: '254712345678' },
			sent: PARAMS,
		});
		const params = { callback_url: undefined, mobile: 254 };
		expect(nameOf(rowOf('mine', { params }))).toMatchObject({
			...{ callbackUrl: null, mobile: null, mayBeTriedAgain: true, ownReference: null },
		});
	});

	it.each([
		['mine', false],
		['free', false],
		['open', true],
		['busy', true],
	])('was sent before if its claim is %s: %p', (claimResult, sentBefore) => {
		expect(nameOf(rowOf(claimResult))).toMatchObject({ sentBefore });
	});

	it.each([
		['orderReference', true, false],
		['orderReference', false, true],
		['duplicateKey', true, true],
	])('named by %s and compared: %p, it is one of several: %p', (by, isCompared, isOneOfSeveral) => {
		const row = rowOf('mine', { key: { key: 'k', by }, isCompared });
		expect(nameOf(row)).toMatchObject({ isOneOfSeveral });
	});
});

describe('a row that the service took after all', () => {
	const taken = (claimResult: string, onDuplicate: string, url?: unknown) => {
		const found = jest.fn();
		const run = { operation: LIST, claims: { found } } as never;
		const row = rowOf(claimResult, { options: { onDuplicate } });
		const result = takenAfterAll(run, row, { message: 'It has it.' }, url);
		expect(found).toHaveBeenCalledWith({ key: 'k', by: 'orderReference' });
		return 'items' in result ? result.items[0] : result.error;
	};

	it.each([
		['mine', 'skip', 'https://theirs.example', { amount: '10', callback_url: `${URL}?mine` }],
		['mine', 'error', undefined, { amount: '10', callback_url: `${URL}?mine` }],
		[
			'open',
			'skip',
			'https://theirs.example',
			{ amount: '10', callback_url: 'https://theirs.example' },
		],
		['open', 'skip', null, { amount: '10' }],
	])(
		'by a claim that is %s, with %s: has the address that is called',
		(claim, then, url, request) => {
			const item = { outcome: 'accepted', success: true, message: 'It has it.' };
			const { request: shown, ...rest } = taken(claim, then, url) as { request: object };
			expect(rest).toMatchObject(item);
			expect(shown).toEqual(request);
		},
	);

	it('is an error where duplicates are, and an earlier run sent it', () => {
		expect(taken('open', 'error')).toMatchObject({
			outcome: 'duplicate',
			message: expect.stringMatching(/^Not sent: an earlier run .* and the service has it$/),
			description: expect.stringContaining('If this is another payment, give it'),
		});
	});
});
