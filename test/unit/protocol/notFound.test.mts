import { saysNotFound } from '../../../nodes/UnifiedPayments/protocol/errorTable.ts';
import { phrases } from '../../helpers/phrases.mts';

const REFERENCE = 'TX-1';

it.each([
	...phrases(`
		Transaction not found | TRANSACTION NOT FOUND! | Transaction:not found
		Transaction TX-1 not found | TransactionTX-1not found | Payment "TX-1" does not exist
		Payment 'TX-1' doesn't exist | This collection doesn’t exist
		No transaction with this reference | Unknown reference | No such payout
		Reference TX-1 is unknown | The signature is wrong or the transaction was not created
	`),
	'The  payment was \n not found.',
	`Transaction not found${' '.repeat(979)}`,
])('%j says so', (message) => {
	expect(saysNotFound(message, REFERENCE)).toBe(true);
});

it.each([
	...phrases(`
		OK | Account not found | The transaction was found
		The status of the transaction is not known | Transaction TX-2 not found
		Transaction not found in the cache, try again | The transaction is unknown at the moment
		The wallet was not found or is closed
	`),
	null,
	'',
	`Transaction not found${' '.repeat(980)}`,
])('%j does not', (message) => {
	expect(saysNotFound(message, REFERENCE)).toBe(false);
});
