import { container } from './container.mts';
import { startEngine } from './start.mts';

import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

/** Stores a file as the server does and returns what an item has in `binary.<property>`. */
export async function storeBinary(
	content: Buffer,
	file: { fileName: string; mimeType: string },
): Promise<IBinaryData> {
	await startEngine();
	const location = { type: 'execution', workflowId: 'files', executionId: 'files' } as const;
	return await container.get(BinaryDataService).store(location, content, { ...file, data: '' });
}
