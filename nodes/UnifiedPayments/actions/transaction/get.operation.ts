import { bad, choiceField, good, propertiesOf, readFields, type Values } from '../../fields/field';
import { readOptionsField } from '../../fields/optionGroups';
import { chosenOutput, outputProperties } from '../../fields/simplify';
import { readText, requiredTextField } from '../../fields/text';
import { NO_MARK } from '../../payment/mark';
import { NO_ORDER, orderOf } from '../../payment/order';
import { readRecord, simplifyTransaction, withState } from '../../payment/record';
import { ENDPOINTS } from '../../protocol/endpoints';
import { isRecord, type Json } from '../../protocol/parse';
import type { Reply } from '../../protocol/reply';
import type { CallOptions, Client } from '../../transport/client';
import { CallError, withoutData } from '../../transport/errors';
import { STATUS_NAME } from '../../transport/status';
import { failureOf } from '../../transport/verdict';
import type { ReadOperation } from '../../rows/operation';

const referenceField = requiredTextField(
	{
		displayName: 'Reference',
		name: 'reference',
		placeholder: 'e.g. TX-20260101-0001',
		description:
			'The number of the transaction at the service, e.g. the reference that a create gives',
	},
	(given) => {
		const read = readText(given);
		return read.ok
			? good(read.value.trim())
			: bad('but a reference is needed', 'Give the reference of a transaction.');
	},
);

const typeField = choiceField(['payin', 'payout'], {
	displayName: 'Type',
	name: 'type',
	options: [
		{ name: 'Collection (Payin)', value: 'payin' },
		{ name: 'Disbursement (Payout)', value: 'payout' },
	],
	displayOptions: { show: { apiVersion: ['v3'] } },
	description: 'Which way the money went',
});

const apiVersionField = choiceField(['v3', 'v2'], {
	displayName: 'API Version',
	name: 'apiVersion',
	options: [
		{ name: 'V2 (Superseded)', value: 'v2', description: 'Without status code and failure reason' },
		{ name: 'V3', value: 'v3', description: 'For collections and payouts' },
	],
	description:
		'Which version of the service answers. Leave it at V3 unless the service told you otherwise.',
});

/** The fields that every question about a transaction has. */
export const FIELDS = { reference: referenceField, type: typeField, apiVersion: apiVersionField };

const RECORD_FIELDS: ReadonlyArray<[name: string, label: string]> = [
	['account_number', 'Account Number'],
	['amount', 'Amount'],
	['asked', 'Asked'],
	['balance', 'Balance'],
	['callback_url', 'Callback URL'],
	['created_at', 'Created At'],
	['currency', 'Currency'],
	['failureReason', 'Failure Reason'],
	['fee', 'Fee'],
	['invoice_no', 'Invoice Number'],
	['mobile', 'Mobile'],
	['orderReference', 'Order Reference'],
	['paidInFull', 'Paid in Full'],
	['payee', 'Payee'],
	['payment_channel', 'Payment Channel'],
	['ref', 'Reference'],
	['state', 'State'],
	['status', 'Status'],
	['status_code', 'Status Code'],
	['transaction_date', 'Transaction Date'],
	['transaction_detail', 'Transaction Detail'],
	['updated_at', 'Updated At'],
];

/** One question to the service, by the version of its API that was chosen. */
export const askForStatus = async (
	client: Client,
	{ reference, type, apiVersion }: Values<typeof FIELDS>,
	options: CallOptions,
): Promise<Reply> =>
	apiVersion === 'v2'
		? await client.query(ENDPOINTS.statusV2, { id: reference }, options, STATUS_NAME)
		: await client.query(ENDPOINTS.statusV3, { id: reference, type }, options, STATUS_NAME);

/** The record as items show it, with its state and its order. */
export async function describeTransaction(
	raw: Json,
	reference: string,
	client: Client,
): Promise<Json> {
	const record = readRecord(raw, await client.credential());
	if (record.reference !== null && record.reference !== reference) {
		const subject = { name: STATUS_NAME, creates: false };
		throw new CallError(failureOf('mismatch', { code: 'ref' }), subject);
	}
	const reading = orderOf(record, NO_MARK);
	// Nothing when the order cannot be proven.
	return { ...withState(record), ...(reading.is === 'order' ? reading.order : NO_ORDER) };
}

export const get: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get',
		value: 'get',
		action: 'Get transaction status',
		description: 'Look up what became of a single payment, by its reference',
	},

	properties: [
		...propertiesOf(FIELDS),
		...outputProperties({
			fields: RECORD_FIELDS,
			chosen: ['state', 'status', 'amount', 'currency'],
			of: 'the transaction',
		}),
		readOptionsField,
	],

	async run(raw, options, client) {
		const asked = readFields(FIELDS, raw);
		const reply = await askForStatus(client, asked, options);
		if (!isRecord(reply.data)) throw withoutData(reply, STATUS_NAME);
		const record = await describeTransaction(reply.data, asked.reference, client);
		return [chosenOutput(raw, record, 'ref', simplifyTransaction)];
	},
};
