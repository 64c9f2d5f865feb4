import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Field, RawFields } from '../fields/field';
import { readOptions, type RowOptions } from '../fields/options';
import { waitLimitIn } from '../fields/waitLimit';
import { findEntries } from '../payment/list';
import { readMark } from '../payment/mark';
import type { Credential } from '../protocol/credential';
import { ADVICE } from '../protocol/advice';
import { ENDPOINTS } from '../protocol/endpoints';
import { entriesOf, referenceIn } from '../protocol/reply';
import type { Client } from '../transport/client';
import { NotSentError } from '../transport/errors';
import { createYield } from '../transport/limiter';
import { refuseWhatIsLost } from './address';
import { paymentsOf, type AwaitedPayment, type WaitingItem } from './awaited';
import { isWithoutLink, linksOf } from './awaitedLinks';
import { hasSlept, lookAgain, sleepFor } from './sleep';

/** Lets the execution sleep until the links of its input are paid or failed. */
export async function waitForLinks(
	context: IExecuteFunctions,
	waitLimit: Field<number>,
	client: Client,
): Promise<INodeExecutionData[]> {
	const input = context.getInputData();
	if (input.length === 0) return [];
	const limitMinutes = waitLimitIn(context, waitLimit);
	const options = readOptions(context.getNodeParameter('options', 0, {}) as RawFields);
	if (hasSlept(context)) return await lookAgain(context, client, options);
	await refuseWhatIsLost(context);
	const items = linksOf(context);
	const given = input.map((_, item) => ({ json: {}, pairedItem: { item } }));
	const about = items.flatMap(({ payment }) => payment ?? []);
	if (about.length === 0) {
		// Rows that have no link have been told why.
		if (!items.every(({ json }) => isWithoutLink(json))) throw noLinks();
	} else {
		const account = await client.credential();
		const isOurs = ({ callbackUrl }: AwaitedPayment) =>
			readMark(account, callbackUrl ?? '').is === 'valid';
		if (!about.every(isOurs)) throw otherAccount();
		await addReferences(context, items, client, account, options);
	}
	const settings = { client, options, limitMinutes };
	return await sleepFor(context, given, items, settings, []);
}

const noLinks = () =>
	new NotSentError(
		'There is no payment link to wait for',
		"Create the links earlier in this workflow, with 'Create' of 'Payment Link' and its option 'Wait in This Execution'. Nodes between may change the items, but must keep them linked to those of 'Create'.",
	);

const otherAccount = () =>
	new NotSentError(
		'The payment links were created with another account',
		`${ADVICE.sameCredential} Only with its secret key can payments be confirmed.`,
	);

/** Links that no reply named are looked for in the list, by which they can be asked about. */
async function addReferences(
	context: IExecuteFunctions,
	items: readonly WaitingItem[],
	client: Client,
	account: Credential,
	options: RowOptions,
): Promise<void> {
	const payments = [...paymentsOf(items).values()];
	if (payments.every(({ reference }) => reference !== null)) return;
	try {
		const reply = await client.list(ENDPOINTS.listPaymentLinks, options, 'the payment links');
		const entries = entriesOf(reply) ?? [];
		const matches = await findEntries(entries, payments, account, createYield());
		const found = new Map(
			payments.map(({ mark }, at) => [mark, referenceIn(matches[at]?.entry, account)]),
		);
		for (const { json, payment } of items) {
			if (payment === null) continue;
			payment.reference ??= found.get(payment.mark) ?? null;
			json.reference = payment.reference ?? json.reference ?? null;
		}
	} catch (error) {
		const { message } = error as Error;
		context.logger.warn(
			client.redactor.text(`The list of payment links could not be read: ${message}`),
		);
	}
}
