import type { INodeProperties } from 'n8n-workflow';

const inputMode: INodeProperties = {
	displayName: 'Input Mode',
	name: 'inputMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Columns',
			value: 'columns',
			description: 'Take the values from the columns of a sheet: best for many rows',
		},
		{
			name: 'Fields',
			value: 'fields',
			description: 'Fill in each field below, by hand or with expressions',
		},
	],
	default: 'fields',
	description: 'Where the values of each row come from',
};

const columns = (resourceMapperMethod: string): INodeProperties => ({
	displayName: 'Columns',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'autoMapInputData', value: null },
	required: true,
	description:
		'Which column fills which field. Columns that fit no field are left out, and listed after the run.',
	displayOptions: { show: { inputMode: ['columns'] } },
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod,
			mode: 'add',
			fieldWords: { singular: 'field', plural: 'fields' },
			addAllFields: false,
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
});

/** The editor itself says that columns must be named like the fields; ours need not. */
const columnsNotice: INodeProperties = {
	displayName:
		'Mapped automatically, headings need not be exact: "Phone Number", "msisdn" or "Amount (KES)" are understood. A sheet that lacks a required column is refused before anything is sent.',
	name: 'columnsNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { inputMode: ['columns'] } },
};

/** Fields that are filled one by one, or together from the columns of a sheet. */
export const fieldsOrColumns = (
	resourceMapperMethod: string,
	fields: readonly INodeProperties[],
): INodeProperties[] => [
	inputMode,
	...fields.map((field) => ({ ...field, displayOptions: { show: { inputMode: ['fields'] } } })),
	columns(resourceMapperMethod),
	columnsNotice,
];
