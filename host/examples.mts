import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { NewWorkflow, SavedCredential } from './client.mts';

/** The workflows of the examples folder, with the credential filled in where they ask for it. */
export async function readExamples(
	credential: SavedCredential,
	folder = join(process.cwd(), 'examples'),
): Promise<NewWorkflow[]> {
	const { id, name, type } = credential;
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => {
			const workflow = JSON.parse(await readFile(join(folder, file), 'utf8')) as NewWorkflow;
			for (const { credentials } of workflow.nodes) {
				if (credentials?.[type]) credentials[type] = { id, name };
			}
			return workflow;
		}),
	);
}
