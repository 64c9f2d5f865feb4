import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { RowOptions } from '../fields/options';
import { isFinal } from '../payment/state';
import type { Json } from '../protocol/parse';
import type { Client } from '../transport/client';
import { executionIn, isOfNode } from './address';
import {
	isWaiting,
	readAwaited,
	timedOutItem,
	withoutSight,
	withSight,
	type Awaited,
	type Sight,
} from './awaited';
import { lookFirst } from './firstLooks';
import { createResumeUrls } from './resumeUrls';

interface Sleep {
	client: Client;
	options: RowOptions;
	limitMinutes: number;
	/** See `lookFirst`. */
	pauses: readonly number[];
}

/**
 * Looks at what the items are about, and lets the execution sleep until all of it is final. Gives
 * the items at once when it is already.
 */
export async function sleepUntilFinal(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	{ client, options, limitMinutes, pauses }: Sleep,
): Promise<INodeExecutionData[]> {
	if (!items.some(({ json }) => readAwaited(json) !== null)) return items.map(notAwaited);
	const own = executionIn(await createResumeUrls(context)(0));
	const payments = items.map(({ json }) => ownPayment(json, own));
	const sights = await look(context, payments, client, options, pauses);
	const left = items.map(({ json, ...item }, index) => ({
		...item,
		json: leaving(json, payments[index]!, sights[index]!, client) as IDataObject,
	}));
	const sleeps = payments.some((payment, index) => isAwaited(payment, sights[index]!));
	if (!sleeps) return left;

	// When time is up, n8n passes on the input of the node, and runs nothing of it.
	const { data } = context.getExecuteData();
	data.main = [left];
	await context.putExecutionToWait(new Date(Date.now() + limitMinutes * 60_000));
	// Shown while it waits. An item with an error would make n8n run the node again, if it is set so.
	return left.filter(({ json }) => json.error === undefined);
}

/** The callback of another execution's payment does not come here. */
function ownPayment(json: Json, own: string): Awaited | null {
	const payment = readAwaited(json);
	return payment && { ...payment, holds: payment.holds && executionIn(payment.url) === own };
}

/**
 * Whether n8n runs the node once more after it has slept, because the execution was interrupted
 * later on and is retried. It then gets what it had put aside, and must not send that again.
 */
export const hasSlept = (
	context: IExecuteFunctions,
	isOwn: (payment: Awaited) => boolean = () => true,
): boolean =>
	context.getMode() === 'retry' &&
	context.getInputData().some(({ json }) => {
		const payment = isWaiting(json) ? readAwaited(json) : null;
		return payment !== null && isOwn(payment);
	});

/** The same for a node that creates: what another one waited for in vain is a new row to it. */
export const hasSleptAfterCreate = (context: IExecuteFunctions): boolean =>
	hasSlept(context, ({ key }) => isOfNode(key, context.getNode().id));

/** Of what it had put aside, what is final by now; nobody calls back to a retried execution. */
export async function lookAgain(
	context: IExecuteFunctions,
	client: Client,
	options: RowOptions,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const payments = items.map(({ json }) => (isWaiting(json) ? readAwaited(json) : null));
	const sights = await look(context, payments, client, options, []);
	return items.map(({ json, ...item }, index) => {
		const sight = sights[index] ?? null;
		const isOver = sight !== null && isFinal(sight.state);
		return {
			...item,
			json: isOver ? (withSight(json, sight, client.redactor) as IDataObject) : json,
		};
	});
}

async function look(
	context: IExecuteFunctions,
	payments: ReadonlyArray<Awaited | null>,
	client: Client,
	options: RowOptions,
	pauses: readonly number[],
): Promise<Array<Sight | null>> {
	const signal = context.getExecutionCancelSignal();
	return await lookFirst(payments, {
		lookout: {
			client,
			account: await client.credential(),
			options: { ...options, maxRetries: 0 },
			statuses: { success: options.successStatuses, failed: options.failureStatuses },
		},
		lanes: options.concurrency,
		pauses,
		sleep: async (ms) => await sleep(ms, signal).catch(() => undefined),
		cancelled: () => signal?.aborted === true,
		warn: (line) => context.logger.warn(client.redactor.text(line)),
	});
}

const isAwaited = (payment: Awaited | null, sight: Sight | null): boolean =>
	payment?.holds === true && (sight === null || !isFinal(sight.state));

/** How an item leaves if nothing more is heard. */
function leaving(
	json: Json,
	payment: Awaited | null,
	sight: Sight | null,
	{ redactor }: Client,
): Json {
	if (isAwaited(payment, sight)) return timedOutItem(json, sight, redactor);
	if (sight !== null) return withSight(json, sight, redactor);
	return 'error' in json ? json : withoutSight(json);
}

const notAwaited = ({ json, ...item }: INodeExecutionData): INodeExecutionData => ({
	...item,
	json: ('error' in json || json.outcome === 'valid' ? json : withoutSight(json)) as IDataObject,
});
