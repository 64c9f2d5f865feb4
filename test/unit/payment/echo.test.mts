import {
	keepsMark,
	keptOf,
	otherPayer,
	wrongEcho,
} from '../../../nodes/UnifiedPayments/payment/echo.ts';
import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';

const HOOK = 'https://n8n.example/webhook/paid';
const account = (secretKey: string) => ({
	baseUrl: 'https://pay.example/api',
	identity: { clientId: 'client', sender: 'Shop', secretKey },
});
const AMINA = account('sk-of-amina');
const marked = (orderReference: string) =>
	withMark(
		HOOK,
		writeMark(
			AMINA,
			{ orderReference, amount: '10', currency: 'KES' },
			{ key: orderReference, by: 'orderReference' },
			{ workflowId: 'workflow', nodeId: 'node' },
		),
	);

describe('what a reply repeats of its request', () => {
	const REFERENCE = 'third_party_reference_1';
	const sent = {
		...{ callback_url: marked('A-1'), [REFERENCE]: 'A-1', third_party_reference_2: 'Amina' },
		...{ amount: 1500.5, currency: 'KES' },
	};

	it.each([
		[undefined],
		['amount'],
		[[{ amount: 1 }]],
		[{}],
		[sent],
		[{ amount: '1500.5' }],
		[{ amount: '1,500.50', currency: 'kes' }],
		[{ amount: 'KES 1,500.50', currency: 'KSh' }],
		[{ amount: ' 1500.50kes', currency: 'Kenyan Shilling' }],
		[{ [REFERENCE]: ' A-1 ', mobile: '0', fee: 3 }],
		[{ amount: null, currency: undefined, [REFERENCE]: {} }],
		[{ amount: '', currency: '', [REFERENCE]: '' }],
		[{ amount: true }],
		[{ callback_url: HOOK }],
		[{ callback_url: 7 }],
		[{ [REFERENCE]: 'N/A', third_party_reference_2: 0 }],
	])('%j does not speak against it', (data) => {
		expect(wrongEcho(data, sent)).toBeNull();
	});

	it.each<[string, object, object?]>([
		['amount', { amount: 1500 }],
		['amount', { amount: '1500.51', currency: 'UGX' }],
		['amount', { amount: 'many' }],
		['amount', { amount: 'KES -1500.50' }],
		...['15.00 KES', 'USD 1500.50', '1500.50 UGX', 'KES .15', '1500.5K', '1500.50-'].map(
			(amount): [string, object] => ['amount', { amount }],
		),
		['amount', { amount: '.50' }, { amount: 50 }],
		['currency', { currency: 'UGX' }],
		['currency', { currency: 'Usd' }],
		[REFERENCE, { [REFERENCE]: 'A-2' }],
		['amount', { amount: '0' }],
		['third_party_reference_2', { third_party_reference_2: 'Kofi' }],
		['callback_url', { callback_url: marked('B-2') }],
		['email', { email: 'kofi@example.com' }, { email: 'amina@example.com' }],
	])('another %s does', (field, data, more = {}) => {
		expect(wrongEcho(data, { ...sent, ...more })).toBe(field);
	});

	it.each([undefined, null, 7, ''])('a mark does where %j was sent', (nothing) => {
		expect(wrongEcho(sent, { ...sent, callback_url: nothing })).toBe('callback_url');
	});

	it.each([
		[7, '7'],
		['7', 7],
	])('the reference %j is %j', (echoed, own) => {
		expect(wrongEcho({ [REFERENCE]: echoed }, { [REFERENCE]: own })).toBeNull();
	});

	it.each([
		['007', '7'],
		['1e3', '1000'],
		['12345678901234567890', '12345678901234567891'],
		['A-1', undefined],
		['A-1', { a: 1 }],
		['A-1', ['A-1']],
	])('the reference %j is not %j', (echoed, own) => {
		expect(wrongEcho({ [REFERENCE]: echoed }, { [REFERENCE]: own })).toBe(REFERENCE);
	});
});

describe('the payer that is stated', () => {
	const EMAIL = 'amina@example.com';
	const AMINA_OKORO = { first_name: 'Amina', last_name: 'Okoro' };

	it.each([
		[{ email: EMAIL }, { email: ` ${EMAIL.toUpperCase()} ` }],
		[{ email: EMAIL }, { email: 'am***@example.com' }],
		[{ email: EMAIL }, { email: 'not given' }],
		[{ email: EMAIL }, { email: 'kofi@example.com or @' }],
		[{ email: EMAIL }, { email: '@ kofi@example.com' }],
		[{ email: EMAIL }, { email: 7 }],
		[{ email: EMAIL }, {}],
		[{ item_name: 'Café & Thé' }, { item_name: 'cafe\u0301 &amp; the\u0301' }],
		[{ item_name: "Amina's book" }, { item_name: 'Amina&#39;s BOOK' }],
		[{ item_name: 'School fees, term 2' }, { item_name: 'School fees' }],
		[{ item_name: 'School' }, { item_name: 'School fees' }],
		[{ item_name: 'Thé' }, { item_name: 'Th?' }],
		[{ item_name: 'a'.repeat(600) }, { item_name: `${'a'.repeat(500)}b` }],
		[{ item_name: 'Book' }, { item_name: '' }],
		[{ item_name: 'Œuvre' }, { item_name: 'Oeuvre' }],
		[{ phone: '0712345678' }, { phone: '+254 (0)712 345-678' }],
		[{ phone: '254712345678' }, { phone: 712345678 }],
		[{ phone: '254712345678' }, { phone: '255712345678' }],
		[{ mobile: '254712345678' }, { mobile: '00999999' }],
		[{ phone: '254712345678' }, { phone: '25471****78' }],
		[{ mobile: '254712345678' }, { mobile: '345679' }],
		[{ mobile: '254712345678' }, { mobile: '07123456', phone: '254722000000' }],
		[AMINA_OKORO, { first_name: 'A.', last_name: 'Amina Okoro' }],
		[AMINA_OKORO, { first_name: 'mina', last_name: 'AMINA' }],
		[AMINA_OKORO, { first_name: 'Okoro' }],
		[{ last_name: 'Okoro', first_name: '*' }, { first_name: 'Amina' }],
		[AMINA_OKORO, { first_name: 'A***', business_name: 'Shop' }],
		[
			{ business_name: 'Shop', country_id: 1 },
			{ business_name: 'Baraka Ltd.', country_id: 254 },
		],
		[{}, { phone: '254722000000', first_name: 'Baraka' }],
	])('%j and %j may be one', (sent, stated) => {
		expect(otherPayer(stated, sent)).toBeNull();
	});

	it.each([
		['email', { email: EMAIL }, { email: 'kofi@example.com' }],
		['email', { email: EMAIL }, { email: 'hamina@example.com' }],
		['email', { email: EMAIL }, { email: 'a@example.com' }],
		['item_name', { item_name: 'Book' }, { item_name: 'Pen' }],
		['item_name', { item_name: 'Room 1' }, { item_name: 'Room 2' }],
		['item_name', { item_name: 'Notebook' }, { item_name: 'Book' }],
		['item_name', { item_name: 'Book' }, { item_name: 'Notebook' }],
		['phone', { phone: '0712345678' }, { phone: '254722000000' }],
		['phone', { phone: '1234567' }, { phone: 1234568 }],
		['mobile', { mobile: '254712345678' }, { mobile: '+254 812 345 678' }],
		['first_name', AMINA_OKORO, { first_name: 'Baraka' }],
		['first_name', { first_name: 'Amina' }, { first_name: 'Baraka' }],
		['last_name', AMINA_OKORO, { first_name: 'Amina', last_name: 'Mwangi' }],
	])('of another %s is another: %j, %j', (field, sent, stated) => {
		expect(otherPayer(stated, sent)).toBe(field);
	});
});

describe('what a record kept of a callback URL', () => {
	it.each([
		['whole', { deep: [{ url: marked('A-1') }] }],
		['part', { url: HOOK }],
		['part', { note: `called ${HOOK}?a=1 twice` }],
		['nothing', { url: 'https://other.example/' }],
		['nothing', {}],
	])('%s: %j', (kept, record) => {
		expect(keptOf(record, marked('A-1'))).toBe(kept);
	});

	it('a start that only ends otherwise is a part', () => {
		const long = `https://n8n.example/${'a'.repeat(80)}`;
		expect(keptOf({ url: `${long.slice(0, 70)}` }, long)).toBe('part');
	});

	it.each([
		[true, { url: marked('A-1') }],
		[false, { url: HOOK }],
		[false, {}],
	])('has our mark: %j', (keeps, record) => {
		expect(keepsMark(record, AMINA)).toBe(keeps);
		expect(keepsMark(record, account('sk-of-kofi'))).toBe(false);
	});
});
