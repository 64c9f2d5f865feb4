import type { INodeProperties } from 'n8n-workflow';

import {
	bad,
	choiceField,
	good,
	isBlank,
	propertiesOf,
	readFields,
	type Field,
	type Values,
} from '../../fields/field';
import { statusOptionsField, type RowOptions } from '../../fields/options';
import { readText } from '../../fields/text';
import { orderOf, type Order } from '../../output/order';
import type { State } from '../../output/state';
import { selectFields, simplifyTransaction, toTransaction } from '../../output/transaction';
import { ENDPOINTS } from '../../protocol/endpoints';
import { isRecord, type Json } from '../../protocol/parse';
import type { Reply } from '../../protocol/reply';
import type { CallOptions, Client } from '../../transport/client';
import { CallError, withoutData } from '../../transport/errors';
import { STATUS_NAME } from '../../transport/status';
import { failureOf } from '../../transport/verdict';
import type { ReadOperation } from '../operation';

const referenceField: Field<string> = {
	property: {
		displayName: 'Reference',
		name: 'reference',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. TX-20260101-0001',
		description:
			'The number of the transaction at the service, e.g. the reference that a create gives',
	},
	read(given) {
		const read = readText(given);
		return read.ok
			? good(read.value.trim())
			: bad('but a reference is needed', 'Give the reference of a transaction.');
	},
};

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
		{
			name: 'V2 (Superseded)',
			value: 'v2',
			description: 'Without status code and failure reason',
		},
		{ name: 'V3', value: 'v3', description: 'For collections and payouts' },
	],
	description:
		'Which version of the service answers. Leave it at V3 unless the service told you otherwise.',
});

/** What it takes to ask about a transaction. */
export const FIELDS = { reference: referenceField, type: typeField, apiVersion: apiVersionField };

const RECORD_FIELDS = [
	'account_number',
	'amount',
	'asked',
	'balance',
	'callback_url',
	'created_at',
	'currency',
	'failureReason',
	'fee',
	'invoice_no',
	'mobile',
	'orderReference',
	'paidInFull',
	'payee',
	'payment_channel',
	'ref',
	'state',
	'status',
	'status_code',
	'transaction_date',
	'transaction_detail',
	'updated_at',
];

export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	displayOptions: { hide: { '@tool': [true] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** In the editor a switch; as a tool for an AI agent, n8n wants a choice of what to return. */
const outputProperties: INodeProperties[] = [
	simplifyProperty,
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Raw', value: 'raw', description: 'All fields of the transaction' },
			{ name: 'Selected Fields', value: 'selectedFields', description: 'Only the chosen fields' },
			{ name: 'Simplified', value: 'simplified', description: 'The ten most used fields' },
		],
		default: 'simplified',
		displayOptions: { show: { '@tool': [true] } },
		description: 'Which fields of the transaction to return',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		options: RECORD_FIELDS.map((name) => ({ name, value: name })),
		default: ['state', 'status', 'amount', 'currency'],
		displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
		description: 'The fields to return. The reference always comes along.',
	},
];

/** The order that the service's own record names; nothing when that cannot be proven. */
async function orderIn(record: Json, { state }: Json, client: Client): Promise<Order> {
	const order = orderOf(await client.credential(), record, '', state as State);
	if (order.kind === 'mismatch') return { orderReference: null, asked: null, paidInFull: null };
	const { orderReference, asked, paidInFull } = order;
	return { orderReference, asked, paidInFull };
}

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
	record: Json,
	reference: string,
	{ successStatuses, failureStatuses }: RowOptions,
	client: Client,
): Promise<Json> {
	const { ref } = record;
	if (!isBlank(ref) && String(ref) !== reference) {
		const subject = { name: STATUS_NAME, creates: false };
		throw new CallError(failureOf('mismatch', { code: 'ref' }), subject);
	}
	const transaction = toTransaction(record, { success: successStatuses, failed: failureStatuses });
	return { ...transaction, ...(await orderIn(record, transaction, client)) };
}

export const get: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get',
		value: 'get',
		action: 'Get transaction status',
		description: 'Look up what became of a single collection or payout',
	},

	properties: [...propertiesOf(FIELDS), ...outputProperties, statusOptionsField],

	async run(raw, options, client) {
		const asked = readFields(FIELDS, raw);
		const { simplify, output, fields } = raw;
		const reply = await askForStatus(client, asked, options);
		if (!isRecord(reply.data)) throw withoutData(reply, STATUS_NAME);
		const record = await describeTransaction(reply.data, asked.reference, options, client);
		if (output === 'selectedFields') return [selectFields(record, fields)];
		// Hidden parameters keep their defaults, so a tool that asks for raw data says so in `output`.
		return [simplify === false || output === 'raw' ? record : simplifyTransaction(record)];
	},
};
