import type { IExecuteFunctions } from 'n8n-workflow';

import type { RowFiles } from '../actions/operation';

/** Files of the input. One that every row shares, such as a logo, is read once. */
export function createFiles(context: IExecuteFunctions): (row: number) => RowFiles {
	const contents = new Map<string, Promise<Buffer>>();
	const shared = new Map<unknown, unknown>();
	const items = context.getInputData();
	return (row) => ({
		async binary(property) {
			const file = items[row]?.binary?.[property];
			if (!file) return null;
			// Stored files have an id; small ones carry their content in `data` itself.
			const key = file.id ?? file.data;
			const content = contents.get(key) ?? context.helpers.getBinaryDataBuffer(row, property);
			contents.set(key, content);
			return await content;
		},

		shared<T>(source: unknown, make: () => T): T {
			if (!shared.has(source)) shared.set(source, make());
			return shared.get(source) as T;
		},
	});
}
