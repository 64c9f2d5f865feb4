import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

export const FOLDER = resolve(process.cwd(), 'docs', 'images');
const MOST_KILOBYTES = 250;

/** Says how large a picture is, and refuses one that would make a page slow. */
export async function weigh(path: string): Promise<void> {
	const name = basename(path);
	const kilobytes = Math.ceil((await stat(path)).size / 1024);
	console.log(`docs/images/${name}  ${kilobytes} kB`);
	if (kilobytes > MOST_KILOBYTES)
		throw new Error(`${name} is larger than ${MOST_KILOBYTES} kB: show less, or smaller.`);
}
