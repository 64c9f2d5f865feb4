import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readOptions, type RowOptions } from '../fields/options';
import { readFields, type Field, type RawFields } from '../fields/field';
import type { Credential } from '../protocol/credential';
import { readMark } from '../payment/mark';
import type { Client } from '../transport/client';
import { NotSentError } from '../transport/errors';
import { readAwaited } from './awaited';
import { listedReferences } from './listed';
import { linksOf } from './links';
import { refuseWhatIsLost } from './resumeUrls';
import { hasSlept, lookAgain, sleepUntilFinal } from './sleep';

/** Lets the execution sleep until the links of its input are paid or failed. */
export async function waitForLinks(
	context: IExecuteFunctions,
	waitLimit: Field<number>,
	client: Client,
): Promise<INodeExecutionData[]> {
	if (context.getInputData().length === 0) return [];
	const { waitLimitMinutes } = readFields(
		{ waitLimitMinutes: waitLimit },
		{
			waitLimitMinutes: context.getNodeParameter('waitLimitMinutes', 0, ''),
		},
	);
	const options = readOptions(context.getNodeParameter('options', 0, {}) as RawFields);
	if (hasSlept(context)) return await lookAgain(context, client, options);
	await refuseWhatIsLost(context);
	const links = linksOf(context);
	if (links.every(({ json }) => readAwaited(json) === null)) throw noLinks();
	const account = await client.credential();
	const strange = links.find((link) => !isOf(account, link));
	if (strange !== undefined) throw otherAccount();
	return await sleepUntilFinal(context, await withReferences(context, links, client, options), {
		client,
		options,
		limitMinutes: waitLimitMinutes,
		pauses: [],
	});
}

const isOf = (account: Credential, { json }: INodeExecutionData): boolean => {
	const payment = readAwaited(json);
	return payment === null || readMark(account, payment.url).kind === 'valid';
};

const noLinks = () =>
	new NotSentError(
		'There is no payment link to wait for',
		"Create the links earlier in this workflow, with 'Create' of 'Payment Link' and its option 'Wait in This Execution'. Nodes between may change the items, but must keep them linked to those of 'Create'.",
	);

const otherAccount = () =>
	new NotSentError(
		'The payment links were created with another account',
		'Choose the credential here that the node has which created them. Only with its secret key can payments be confirmed.',
	);

/** Links that no reply named are looked for in the list, by which they can be asked about. */
async function withReferences(
	context: IExecuteFunctions,
	links: INodeExecutionData[],
	client: Client,
	options: RowOptions,
): Promise<INodeExecutionData[]> {
	const isNamed = ({ json }: INodeExecutionData) => readAwaited(json)?.reference !== null;
	if (links.every(isNamed)) return links;
	const references = await listedReferences(client, options).catch(({ message }: Error) => {
		context.logger.warn(
			client.redactor.text(`The list of payment links could not be read: ${message}`),
		);
		return new Map<string, string>();
	});
	return links.map((link) => {
		if (isNamed(link)) return link;
		const reference = references.get(readAwaited(link.json)!.key);
		if (reference === undefined) return link;
		return { ...link, json: { ...link.json, reference } };
	});
}
