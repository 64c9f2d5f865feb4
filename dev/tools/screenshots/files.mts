import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

export const FOLDER = resolve(process.cwd(), 'docs', 'images');
const MAX_KILOBYTES = 250;

/** Prints the size of a screenshot, and refuses one that would make a page slow. */
export async function checkSize(path: string): Promise<void> {
	const name = basename(path);
	const kilobytes = Math.ceil((await stat(path)).size / 1024);
	console.log(`docs/images/${name}  ${kilobytes} kB`);
	if (kilobytes > MAX_KILOBYTES)
		throw new Error(`${name} is larger than ${MAX_KILOBYTES} kB: show less, or smaller.`);
}
