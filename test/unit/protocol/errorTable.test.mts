import { isInErrorTable } from '../../../nodes/UnifiedPayments/protocol/errorTable.ts';
import { phrases } from '../../helpers/phrases.mts';

describe('a message of the error table', () => {
	it.each([
		...phrases(`
			Service user not found or Transaction was not created!
			Entity integration record not found or Client id not matched or Request was not verified.
			Service user not found or Country was not found or Transaction was not created!
			User not found! | Payment link was not created. | Entity integration record not found.
			User not found.
			Entity integration record not found or Client id not matched or Request was not verified..
			User not found | Client id not matched | Request was not verified | COUNTRY WAS NOT FOUND
			AcmePay user not found
		`),
		' Transaction was not created! ',
		`User not found${'!'.repeat(986)}`,
	])('is %j', (message) => {
		expect(isInErrorTable(message)).toBe(true);
	});

	it.each([
		...phrases(`
			Transaction was not created again: this request is already being processed
			Transaction was not created yet | A second transaction was not created
			The old payment link was not created | Already being processed or Transaction was not created
			Transaction was not created or it was | Some other user not found | Try user not found later
			Client id not matched twice | Already being processed
		`),
		`User not found${'!'.repeat(987)}`,
		'',
	])('is not %j', (message) => {
		expect(isInErrorTable(message)).toBe(false);
	});
});
