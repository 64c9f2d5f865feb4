import { findEntries } from '../../../nodes/UnifiedPayments/payment/list.ts';
import type { Known } from '../../../nodes/UnifiedPayments/payment/whose.ts';
import { HOOK, paymentWith, urlOf } from './payment.mts';
import { READER, readerWith } from './reader.mts';

const find = async (entries: Array<Record<string, unknown>>, payments: Known[], reader = READER) =>
	await findEntries(entries, payments, reader, async () => undefined);

const NOTHING = { entry: null, isUnclear: false };
const UNCLEAR = { entry: null, isUnclear: true };

const LINK = paymentWith();
const NAMED = { ...LINK, reference: 'PL-1' };
const OTHER = paymentWith({ orderReference: 'B-2' });

describe('the entry of a link', () => {
	it('is the one with its mark, at whatever place', async () => {
		const entry = { a: { b: [`POST ${urlOf(LINK)}`] } };
		expect(await find([{ callback_url: urlOf(OTHER) }, entry], [LINK])).toEqual([{ entry }]);
	});

	it('is not one of equal values, nor one whose mark was cut', async () => {
		const entry = { amount: '100', currency: 'KES', item_name: 'Rent' };
		const cut = { ...entry, callback_url: urlOf(LINK).slice(0, -1) };
		expect(await find([entry, cut], [LINK])).toEqual([NOTHING]);
	});

	it('of several with its mark, is the one with exactly the address that was sent', async () => {
		const exact = { id: 1, callback_url: urlOf(LINK) };
		const like = { id: 2, callback_url: `${urlOf(LINK)}&more=1` };
		expect(await find([like, exact], [LINK])).toEqual([{ entry: exact }]);
		expect(await find([like, { ...like }], [LINK])).toEqual([UNCLEAR]);
		expect(await find([exact, { ...exact }], [LINK])).toEqual([UNCLEAR]);
	});

	it('is else the one with the reference of the reply', async () => {
		const entry = { reference: 'PL-1' };
		expect(await find([{ reference: 'PL-2' }, entry], [NAMED])).toEqual([{ entry }]);
		expect(await find([entry], [LINK])).toEqual([NOTHING]);
		expect(await find([entry, { ...entry }], [NAMED])).toEqual([UNCLEAR]);
	});

	it('is not one with its reference and the mark of another', async () => {
		expect(await find([{ reference: 'PL-1', u: urlOf(OTHER) }], [NAMED])).toEqual([NOTHING]);
	});

	// A number of the merchant, or of the request, is that of nobody's payment.
	it('is not named by an id, unless the credential says so', async () => {
		const named = { ...LINK, reference: '7' };
		const entry = { id: 7, link: 'https://pay.example/7' };
		expect(await find([entry], [named])).toEqual([NOTHING]);
		const own = readerWith({ referenceFields: 'id' });
		expect(await find([entry], [named], own)).toEqual([{ entry }]);
	});

	it('is never that of two', async () => {
		const entry = { reference: 'PL-1' };
		const twin = paymentWith({ orderReference: 'C-3', reference: 'PL-1' });
		expect(await find([entry], [NAMED, twin])).toEqual([UNCLEAR, UNCLEAR]);
	});

	it('with marks of several is that of none', async () => {
		expect(await find([{ group: [urlOf(LINK), urlOf(OTHER)] }], [LINK, OTHER])).toEqual([
			...[NOTHING, NOTHING],
		]);
	});

	it('of an earlier run is known in whichever execution it was made', async () => {
		const entry = { callback_url: urlOf(LINK).replace(HOOK, 'https://elsewhere.example/x') };
		expect(await find([entry], [{ ...LINK, sentEarlier: true }])).toEqual([{ entry }]);
	});
});
