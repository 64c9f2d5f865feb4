import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { RowOptions } from '../fields/options';
import type { Client } from '../transport/client';
import { ownAddress } from './address';
import {
	aside,
	leaving,
	paymentsOf,
	readAside,
	readItem,
	type AwaitedPayment,
	type PaymentStatus,
	type WaitingItem,
} from './awaited';
import { forgetExecution } from './memory';
import { lookUpFirst, PAUSES } from './status';

interface Sleep {
	client: Client;
	options: RowOptions;
	limitMinutes: number;
}

/** Said in n8n's own entry for this run of the node, which is stored and retried as it is. */
const SLEPT = 'unifiedPaymentsSlept';

/** Waits for the payments of a create, each in an item of its own. */
export const sleepUntilFinal = async (
	context: IExecuteFunctions,
	given: readonly INodeExecutionData[],
	settings: Sleep,
): Promise<INodeExecutionData[]> =>
	await sleepFor(
		context,
		given,
		given.map(({ json }) => readItem(json)),
		settings,
		PAUSES.afterCreate,
	);

/**
 * Looks at what the items are about, and lets the execution sleep until all of it is final. Gives
 * the items at once when it is already. One for each that is given, in their order: n8n pairs what
 * is resumed with the input by nothing but its place.
 */
export async function sleepFor(
	context: IExecuteFunctions,
	given: readonly INodeExecutionData[],
	items: readonly WaitingItem[],
	{ client, options, limitMinutes }: Sleep,
	pauses: readonly number[],
): Promise<INodeExecutionData[]> {
	const isAbout = items.some(({ payment }) => payment !== null);
	const payments = isAbout
		? paymentsOf(items, ownAddress(context))
		: new Map<string, AwaitedPayment>();
	const found = await lookUpBefore(context, payments, client, options, pauses);
	const statusOf = (payment: AwaitedPayment | null) => found.get(payment?.mark ?? '') ?? null;
	const sleeps = [...payments.values()].some(
		(payment) => payment.receivesCallback && statusOf(payment)?.isFinal !== true,
	);
	const form = sleeps ? aside : leaving;
	const left = items.map((item, row) => ({
		...given[row],
		json: form(item, statusOf(item.payment), client.redactor) as IDataObject,
	}));
	if (!sleeps) return left;

	// When time is up, n8n passes on the input of the node, and runs nothing of it.
	const entry = context.getExecuteData();
	entry.data.main = [left];
	entry.metadata = { ...entry.metadata, ...{ [SLEPT]: true } };
	forgetExecution(context);
	await context.putExecutionToWait(new Date(Date.now() + limitMinutes * 60_000));
	// Shown while it waits. An item with an error would make n8n run the node again, if it is set so.
	return left.filter(({ json }) => json.error === undefined);
}

/**
 * Whether n8n runs the node once more after it has slept, because the execution was interrupted
 * later on and is retried. It then gets what it had put aside, and must not send that again. The
 * items do not tell: in a loop, or behind another node that waits, they are new rows.
 */
export const hasSlept = (context: IExecuteFunctions): boolean =>
	SLEPT in (context.getExecuteData().metadata ?? {});

/** Of what it had put aside, what is final by now; nobody calls back to a retried execution. */
export async function lookAgain(
	context: IExecuteFunctions,
	client: Client,
	options: RowOptions,
): Promise<INodeExecutionData[]> {
	const input = context.getInputData();
	const items = input.map(({ json }) => readAside(json));
	const found = await lookUpBefore(context, paymentsOf(items), client, options, []);
	return items.map((item, row) => {
		const status = found.get(item.payment?.mark ?? '');
		const json = status?.isFinal ? leaving(item, status, client.redactor) : item.json;
		return { ...input[row], json: json as IDataObject };
	});
}

async function lookUpBefore(
	context: IExecuteFunctions,
	payments: ReadonlyMap<string, AwaitedPayment>,
	client: Client,
	options: RowOptions,
	pauses: readonly number[],
): Promise<Map<string, PaymentStatus>> {
	if (payments.size === 0) return new Map();
	const signal = context.getExecutionCancelSignal();
	return await lookUpFirst(
		payments,
		{ client, account: await client.credential(), options: { ...options, maxRetries: 0 } },
		{
			lanes: options.concurrency,
			pauses,
			sleep: async (ms) => await sleep(ms, signal).catch(() => undefined),
			cancelled: () => signal?.aborted === true,
			warn: (line) => context.logger.warn(client.redactor.text(line)),
		},
	);
}
