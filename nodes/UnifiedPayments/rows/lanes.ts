import { createLimiter } from '../transport/limiter';

export interface Lanes<Row, Permission, Result> {
	rows: readonly Row[];
	/** The most rows under way at the same time. */
	lanes: number;
	/** Called for a chunk of rows before the first of them is sent. */
	claim(rows: readonly Row[]): Promise<Permission[]>;
	send(row: Row, permission: Permission): Promise<Result>;
	/** Called once for a chunk when all of its rows have ended. */
	settle(
		rows: readonly Row[],
		permissions: readonly Permission[],
		results: readonly Result[],
	): Promise<void>;
}

/**
 * How many rows are claimed together. What is claimed and not yet sent when the process dies is in
 * doubt afterwards, so a chunk is no larger than needed to keep the lanes busy.
 */
export const chunkSize = (lanes: number): number => Math.max(50, 4 * lanes);

/** Sends rows in lanes, chunk after chunk, and gives back the results in the order of the rows. */
export async function runInLanes<Row, Permission, Result>(
	run: Lanes<Row, Permission, Result>,
): Promise<Result[]> {
	const { rows, lanes } = run;
	const limit = createLimiter(lanes);
	const size = chunkSize(lanes);
	const chunks = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
		createChunk(run, rows.slice(index * size, (index + 1) * size)),
	);
	const ended = chunks.map(async (chunk, index) => {
		const sent = chunk.rows.map(
			async (row, at) =>
				await limit(async () => {
					const permissions = await chunk.claimed();
					// The next chunk is claimed while this one is being sent, so that no lane waits for it.
					if (at === chunk.middle) void chunks[index + 1]?.claimed();
					return await run.send(row, permissions[at]!);
				}),
		);
		const results = await Promise.all(sent);
		await run.settle(chunk.rows, await chunk.claimed(), results);
		return results;
	});
	return (await Promise.all(ended)).flat();
}

function createChunk<Row, Permission>(
	{ claim }: Pick<Lanes<Row, Permission, unknown>, 'claim'>,
	rows: readonly Row[],
) {
	let claimed: Promise<Permission[]> | undefined;
	return {
		rows,
		middle: Math.floor(rows.length / 2),
		claimed: async () => await (claimed ??= claim(rows)),
	};
}
