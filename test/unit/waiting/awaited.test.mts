import {
	aside,
	paymentsOf,
	readAside,
	readItem,
} from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { addressOf, asleep, created } from './service.mts';

const MOBILE = { mobile: '254712345678' };
const put = asleep('A-1', { reference: 'TX-1' }, MOBILE);
const awaited = put.awaited as object;

/** What can be asked about, without the address, which only the item of the create has. */
const paymentIn = (json: object) => readAside({ ...json }).payment;

describe('what sleeps carries its payment', () => {
	it('which is the same when it is read again', () => {
		const { payment } = readItem(created('A-1', { reference: 'TX-1' }, MOBILE));
		expect(paymentIn(put)).toEqual({ ...payment, callbackUrl: null });
	});

	it('whatever else its item says by then', () => {
		const others = [{}, { outcome: 'unknown' }, { state: 'success' }, { error: { message: 'x' } }];
		for (const other of others) expect(paymentIn({ ...other, awaited })).toEqual(paymentIn(put));
		const request = { callback_url: addressOf('B-2') };
		expect(paymentIn({ ...put, request, reference: 'TX-2' })).toEqual(paymentIn(put));
	});

	it('and nothing else says it', () => {
		expect(readAside({ ...put, awaited: undefined })).toMatchObject({
			...{ json: { state: 'timedOut' }, isTold: true, payment: null },
		});
	});

	it.each<[string, unknown]>([
		['nothing', undefined],
		['text, as a sheet writes it', JSON.stringify(awaited)],
		['a field less', { ...awaited, mobile: undefined }],
		['a field more', { ...awaited, state: 'success' }],
		['another type', { ...awaited, reference: 1 }],
		['a mark that is none', { ...awaited, mark: 'A-1' }],
	])('in a closed form: %s is none', (_, other) => {
		expect(paymentIn({ ...put, awaited: other })).toBeNull();
	});

	it('until the item leaves, or somebody puts it in again', () => {
		expect(readAside(put).json).not.toHaveProperty('awaited');
		expect(readItem(put).json).not.toHaveProperty('awaited');
	});

	it('the payment that was sent, for a row that repeats it', () => {
		const repeat = created('A-1', { outcome: 'duplicate' }, { callback_url: addressOf('A-1', 1) });
		const items = [readItem(created('A-1')), readItem(repeat)];
		paymentsOf(items);
		const [sent, repeated] = items.map((item) => aside(item, null, new Redactor()));
		expect(repeated!.awaited).toEqual(sent!.awaited);
	});
});
