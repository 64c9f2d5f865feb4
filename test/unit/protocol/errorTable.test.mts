import { alternativesOf, ERROR_ROWS } from '../../../dev/sandbox/api/errorTable.mts';
import {
	ERROR_TABLE,
	isAboutAccount,
	isInErrorTable,
} from '../../../nodes/UnifiedPayments/protocol/errorTable.ts';

/** Without what ends a sentence. */
const plain = (message: string) => message.replace(/[.!]+$/, '');
const DOCUMENTED = ERROR_ROWS.map(({ message }) => message);

describe('the error table', () => {
	it('is that of the specification, and no more', () => {
		expect(DOCUMENTED).toHaveLength(10);
		for (const message of DOCUMENTED.flatMap((line) => [line, ...alternativesOf(line)]))
			expect([message, isInErrorTable(message)]).toEqual([message, true]);
		for (const line of ERROR_TABLE) expect(DOCUMENTED).toContain(line);
		// A line that is one alternative of another needs no line of its own.
		const alternatives = ERROR_TABLE.flatMap((line) => [line, ...alternativesOf(line)]).map(plain);
		expect(new Set(alternatives)).toEqual(
			new Set(DOCUMENTED.flatMap((line) => [line, ...alternativesOf(line)]).map(plain)),
		);
	});

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
