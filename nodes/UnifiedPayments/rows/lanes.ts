import pLimit from 'p-limit';

export interface Batch<Row, Opened, Result> {
	rows: readonly Row[];
	/** The most rows under way at the same time. */
	lanes: number;
	/** Prepares a chunk of rows before the first of them is sent, e.g. claims them. */
	open(rows: readonly Row[]): Promise<Opened[]>;
	send(row: Row, opened: Opened): Promise<Result>;
	/** Called once for a chunk when all of its rows have ended. */
	close(rows: readonly Row[], opened: readonly Opened[], results: readonly Result[]): Promise<void>;
}

/**
 * How many rows are opened together. What is opened and not yet sent when the process dies is in
 * doubt afterwards, so a chunk is no larger than needed to keep the lanes busy.
 */
export const chunkSize = (lanes: number): number => Math.max(50, 4 * lanes);

/** Sends rows in lanes, chunk after chunk, and gives back the results in the order of the rows. */
export async function runBatch<Row, Opened, Result>(
	batch: Batch<Row, Opened, Result>,
): Promise<Result[]> {
	const { rows, lanes } = batch;
	const limit = pLimit(lanes);
	const size = chunkSize(lanes);
	const chunks = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
		createChunk(batch, rows.slice(index * size, (index + 1) * size)),
	);
	const ended = chunks.map(async (chunk, index) => {
		const sent = chunk.rows.map(
			async (row, at) =>
				await limit(async () => {
					const opened = await chunk.opened();
					// The next chunk is opened while this one is being sent, so that no lane waits for it.
					if (at === chunk.middle) void chunks[index + 1]?.opened();
					return await batch.send(row, opened[at]!);
				}),
		);
		const results = await Promise.all(sent);
		await batch.close(chunk.rows, await chunk.opened(), results);
		return results;
	});
	return (await Promise.all(ended)).flat();
}

function createChunk<Row, Opened>(
	{ open }: Pick<Batch<Row, Opened, unknown>, 'open'>,
	rows: readonly Row[],
) {
	let opened: Promise<Opened[]> | undefined;
	return {
		rows,
		middle: Math.floor(rows.length / 2),
		opened: async () => await (opened ??= open(rows)),
	};
}
