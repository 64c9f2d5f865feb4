import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import { choicesOf, membersOf } from '../../helpers/properties.mts';

const trigger = new UnifiedPaymentsTrigger();
const { description } = trigger;
const { properties } = description;

const members = membersOf(properties.find(({ name }) => name === 'options')!);
const valuesOf = (name: string) =>
	choicesOf([...properties, ...members].find((each) => each.name === name)!).map(
		({ value }) => value,
	);

describe("the trigger's contract", () => {
	it('has these parameters and defaults', () => {
		const saved = properties
			.filter(({ type, name }) => type !== 'notice' && name !== 'options')
			.map(({ name, default: value }) => [name, value]);
		expect(Object.fromEntries(saved)).toEqual({
			verification: 'confirm',
			states: ['failed', 'pending', 'success'],
		});
		expect(Object.fromEntries(members.map((each) => [each.name, each.default]))).toEqual({
			ipAllowList: '',
			signatureAlgorithm: 'sha256',
			signatureEncoding: 'hex',
			signatureHeader: 'X-Signature',
			simplify: true,
			skipRepeats: true,
			timestampHeader: '',
			toleranceSeconds: 300,
			transactionType: 'payin',
		});
	});

	it('offers the values of the contract', () => {
		expect(valuesOf('verification')).toEqual(['confirm', 'address', 'hmac', 'none']);
		expect(valuesOf('states').sort()).toEqual(['failed', 'pending', 'success']);
		expect(valuesOf('transactionType')).toEqual(['payin', 'payout']);
		expect(valuesOf('signatureAlgorithm')).toEqual(['sha256', 'sha384', 'sha512']);
		expect(valuesOf('signatureEncoding').sort()).toEqual(['base64', 'hex']);
	});

	it('has two endpoints, POST at a fixed path: answered when the callback is stored, or at the end', () => {
		const stored = { path: 'webhook', responseMode: 'onReceived', responseData: '' };
		const ended = { path: 'finished', responseMode: 'lastNode', responseData: 'noData' };
		expect(description.webhooks).toEqual([
			{ name: 'default', httpMethod: 'POST', ...stored },
			{ name: 'setup', httpMethod: 'POST', ...ended, ndvHideUrl: true },
		]);
	});

	it('has nothing to register or to remove at the service', async () => {
		const { checkExists, delete: remove } = trigger.webhookMethods.default;
		expect(await checkExists.call({} as never)).toBe(false);
		expect(await remove.call({} as never)).toBe(true);
	});
});
