import { InputError } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import { readOptions, readOptionsOfRun } from '../../../nodes/UnifiedPayments/fields/options.ts';

const DEFAULTS = {
	approvedFingerprint: null,
	maxAmount: null,
	maxTotal: null,
	concurrency: 5,
	requestsPerSecond: 0,
	timeoutSeconds: 30,
	waitInThisExecution: false,
	dryRun: false,
	duplicateKey: null,
	onDuplicate: 'skip',
	includeInputFields: undefined,
	onTimeout: 'continue',
};

/** These limit or forbid: added without a value that can be read, they stop the run. */
const GUARDS = ['approvedFingerprint', 'dryRun', 'maxAmount', 'maxTotal'];

const FINGERPRINT = `up2.1KES1000.${'a'.repeat(22)}.${'b'.repeat(22)}`;

const refusal = (options: Record<string, unknown>) => {
	try {
		readOptions(options);
	} catch (thrown) {
		expect(thrown).toBeInstanceOf(InputError);
		const [{ field, reason, allowed }] = (thrown as InputError).issues;
		return { field, reason, allowed };
	}
	throw new Error('It was accepted');
};

describe('readOptions', () => {
	it('fills in what the contract says', () => {
		expect(readOptions({})).toEqual(DEFAULTS);
	});

	it('takes blanks for the defaults, but not for a guard, nor for a key that was not added', () => {
		const names = Object.keys(DEFAULTS).filter((name) => !GUARDS.includes(name));
		const given = names.map((name) => [name, name === 'duplicateKey' ? undefined : ' ']);
		expect(readOptions(Object.fromEntries(given))).toEqual({ ...DEFAULTS, duplicateKey: '' });
	});

	it.each<[string, unknown, unknown]>([
		['concurrency', 1, 1],
		['concurrency', 50, 50],
		['concurrency', '7', 7],
		['requestsPerSecond', 1000, 1000],
		['timeoutSeconds', 1, 1],
		['timeoutSeconds', 300, 300],
		['maxAmount', 100, '100'],
		['maxAmount', '1,250.50', '1250.5'],
		['maxTotal', 0.01, '0.01'],
		['approvedFingerprint', ` ${FINGERPRINT} `, FINGERPRINT],
		['dryRun', 'true', true],
		['dryRun', 'false', false],
		['duplicateKey', 'order-1', 'order-1'],
		['duplicateKey', 7, '7'],
		['onDuplicate', 'sendAnyway', 'sendAnyway'],
		['onDuplicate', 'sendUnanswered', 'sendUnanswered'],
		['includeInputFields', true, true],
	])('takes %s %j', (name, given, expected) => {
		expect(readOptions({ [name]: given })).toEqual({ ...DEFAULTS, [name]: expected });
	});

	it.each<[string, string, unknown[]]>([
		['concurrency', 'a whole number from 1 to 50', [0, 51, 1.5, 'many', true]],
		['requestsPerSecond', 'a number from 0 to 1000', [-1, 1001]],
		['timeoutSeconds', 'a number from 1 to 300', [0.5, 301]],
	])('refuses %s that is not %s', (field, kind, others) => {
		for (const given of others) {
			const reason = `which is not ${kind}`;
			expect(refusal({ [field]: given })).toEqual({ field, reason, allowed: `Give ${kind}.` });
		}
	});

	it.each([
		['duplicateKey', {}, 'which is not text', 'Give text, e.g. an order number.'],
		[
			'onDuplicate',
			'ask',
			'which is not a choice',
			'Choose one of skip, error, sendUnanswered, sendAnyway.',
		],
	])('refuses %s %j', (field, given, reason, allowed) => {
		expect(refusal({ [field]: given })).toEqual({ field, reason, allowed });
	});

	it.each([
		['dryRun', 'which is neither true nor false', ['yes', 1, 'TRUE ', {}]],
		['maxAmount', 'which is not an amount above zero', [0, -1, '0', 'much', NaN, 1.005, true, [5]]],
		['maxTotal', 'which is not an amount above zero', [0, -1, '1.500', '1e3', {}]],
		[
			'approvedFingerprint',
			"which is not a fingerprint of 'Check'",
			['up2', FINGERPRINT.slice(0, -1), `${FINGERPRINT} ${FINGERPRINT}`, 7, [FINGERPRINT]],
		],
	])('%s that was added and cannot be read fails closed', (field, reason, others) => {
		for (const given of [undefined, null, '', ' ', '\t', ...others])
			expect(refusal({ [field]: given })).toMatchObject({ field, reason });
	});

	it('reads the options of the run by themselves, and their guards as strictly', () => {
		const odd = { timeoutSeconds: 'many', duplicateKey: {} };
		expect(readOptionsOfRun({ ...odd, concurrency: 7 })).toEqual({
			approvedFingerprint: null,
			concurrency: 7,
			includeInputFields: undefined,
			maxTotal: null,
			requestsPerSecond: 0,
		});
		for (const given of [undefined, null, '']) {
			expect(() => readOptionsOfRun({ maxTotal: given })).toThrow(InputError);
			expect(() => readOptionsOfRun({ approvedFingerprint: given })).toThrow(InputError);
		}
	});
});
