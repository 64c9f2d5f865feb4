import { create as collection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import { create as link } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';

const ROW = { country: 'KE', currency: 'auto', amount: '10', orderReference: ' A-1 ' };
const PAYMENT = { orderReference: 'A-1', amount: '10', currency: 'KES', countryId: 1 };
const settings = { mobileFormat: 'international', twoDecimals: true } as never;
const files = {
	binary: async (name: string) => (name === 'logo' ? Buffer.from('GIF89a') : null),
	shared: (_: unknown, read: () => unknown) => read(),
};

it('a collection is from a phone number, however it is written', async () => {
	for (const mobile of ['0712 345678', '+254712345678']) {
		const { payment, nextStep } = await collection.prepare(
			{ ...ROW, mobile },
			settings,
			{} as never,
			false,
		);
		expect(payment).toMatchObject({ ...PAYMENT, payer: ['254712345678'], item: '' });
		expect(nextStep).not.toContain('USSD');
	}
});

it('a link is for whoever is named in it', async () => {
	const raw = { ...ROW, businessName: 'Shop', itemName: 'Rent' };
	const prepared = async (more: object) =>
		await link.prepare({ ...raw, ...more }, settings, files as never, true);
	const { payment: nobody, params } = await prepared({ logoBinaryProperty: ' ' });
	expect(nobody).toMatchObject({ ...PAYMENT, payer: ['', '', '', ''], item: 'Rent' });
	expect(params.logo).toBeUndefined();
	const amina = { phone: '0712345678', email: 'A@X.io', firstName: 'Amina', lastName: 'O' };
	const { payment, params: sent } = await prepared({ ...amina, logoBinaryProperty: ' logo ' });
	expect(payment.payer).toEqual(['254712345678', 'a@x.io', 'Amina', 'O']);
	expect(sent.logo).toBe(Buffer.from('GIF89a').toString('base64'));
});
