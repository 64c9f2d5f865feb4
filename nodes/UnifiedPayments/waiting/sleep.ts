import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { RowOptions } from '../fields/options';
import { isFinal } from '../output/state';
import type { Json } from '../protocol/parse';
import type { Client } from '../transport/client';
import {
	readAwaited,
	timedOutItem,
	withoutSight,
	withSight,
	type Awaited,
	type Sight,
} from './awaited';
import { lookFirst } from './firstLooks';

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
	const payments = items.map(({ json }) => readAwaited(json));
	if (!payments.some((payment) => payment !== null)) return items.map(notAwaited);
	const signal = context.getExecutionCancelSignal();
	const sights = await lookFirst(payments, {
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
	json: ('error' in json ? json : withoutSight(json)) as IDataObject,
});
