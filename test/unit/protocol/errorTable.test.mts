import {
	ERROR_TABLE,
	isAboutAccount,
	isInErrorTable,
} from '../../../nodes/UnifiedPayments/protocol/errorTable.ts';

describe('the error table', () => {
	it.each([
		...ERROR_TABLE,
		'payment link was NOT created',
		' Transaction was not created!! ',
		'Client id not matched',
		'Acme user not found',
		'user not found.',
		'Acme user not found or Transaction was not created',
		'Entity integration record not found or Client id not matched or Request was not verified..',
	])('holds %j', (message) => {
		expect(isInErrorTable(message)).toBe(true);
	});

	it.each([
		'',
		'Transaction was not created again',
		'The transaction was not created',
		'Transaction was not created: it is being processed',
		'Transaction was not created or Client id not matched',
		'Country was not found or Transaction was not created',
		'Payment link was not created or it exists',
		'Your other user not found',
		'User not found or Transaction was not created!',
		`user not found${' '.repeat(1000)}`,
	])('does not hold %j', (message) => {
		expect(isInErrorTable(message)).toBe(false);
	});

	it.each([
		['User not found!', true],
		['Request was not verified', true],
		[ERROR_TABLE[2]!, true],
		[ERROR_TABLE[0]!, false],
		['Transaction was not created', false],
		['Your account is not verified', false],
	])('of %j says that it is about the account: %p', (message, isAbout) => {
		expect(isAboutAccount(message)).toBe(isAbout);
	});
});
