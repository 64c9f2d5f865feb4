import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';

import { description, parameters } from './description.mts';

/** A file of the simulator: its rows as JSON, whatever its name says. */
export const fileOf = (fileName: string, rows: readonly IDataObject[]) => ({
	fileName,
	mimeType: 'application/json',
	data: Buffer.from(JSON.stringify(rows)).toString('base64'),
});

/** Extract from File: the text of a file, or its rows. */
export const extractFromFile: INodeType = {
	description: description('extractFromFile', {
		version: [1, 1.1],
		properties: parameters({
			operation: 'csv',
			binaryPropertyName: 'data',
			destinationKey: 'data',
			options: {},
		}),
	}),
	async execute() {
		return [
			this.getInputData().flatMap(({ binary = {} }, item): INodeExecutionData[] => {
				const name = String(this.getNodeParameter('binaryPropertyName', item));
				const text = Buffer.from(binary[name]?.data ?? '', 'base64').toString();
				const pairedItem = { item };
				if (this.getNodeParameter('operation', item) === 'text') {
					const key = String(this.getNodeParameter('destinationKey', item));
					return [{ json: { [key]: text }, binary, pairedItem }];
				}
				return (JSON.parse(text) as IDataObject[]).map((json) => ({ json, pairedItem }));
			}),
		];
	},
};

/** Convert to File: all items become one file. */
export const convertToFile: INodeType = {
	description: description('convertToFile', {
		version: [1, 1.1],
		properties: parameters({ operation: 'csv', binaryPropertyName: 'data', options: {} }),
	}),
	async execute() {
		const items = this.getInputData();
		const { fileName = 'file' } = this.getNodeParameter('options', 0) as IDataObject;
		const name = String(this.getNodeParameter('binaryPropertyName', 0));
		const file = fileOf(
			String(fileName),
			items.map(({ json }) => json),
		);
		const pairedItem = items.map((_, item) => ({ item }));
		return [[{ json: {}, binary: { [name]: file }, pairedItem }]];
	},
};

/** Crypto, for a random number. */
export const crypto: INodeType = {
	description: description('crypto', {
		properties: parameters({ action: 'generate', dataPropertyName: 'data' }),
	}),
	async execute() {
		return [
			this.getInputData().map(({ json, binary }, item) => {
				const name = String(this.getNodeParameter('dataPropertyName', item));
				return {
					json: { ...json, [name]: randomUUID() },
					...(binary && { binary }),
					pairedItem: { item },
				};
			}),
		];
	},
};

/** Where a workflow begins: gives on what starts it. */
export const starter = (name: string, version: number[]): INodeType => ({
	description: description(name, { group: ['trigger'], version, inputs: [] }),
	async execute() {
		return [this.getInputData()];
	},
});
