import type { INodeProperties, ResourceMapperFields } from 'n8n-workflow';

import { propertiesOf, type Field } from './field';

type InputMode = 'fields' | 'columns';

const inputMode: INodeProperties = {
	displayName: 'Input Mode',
	name: 'inputMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Columns',
			value: 'columns',
			description: 'Read the rows of a sheet by its headings. Best for many rows.',
		},
		{
			name: 'Fields',
			value: 'fields',
			description: 'Fill in the fields below, by hand or with expressions',
		},
	],
	default: 'fields',
	builderHint: {
		propertyHint: "Use 'columns' when the input comes from a sheet, a table or a file.",
	},
	description:
		"Where the values come from: the fields below, or the columns of a sheet. To try rows without sending, add the option 'Dry Run' or use the operation 'Check'.",
};

const columns = (resourceMapperMethod: string): INodeProperties => ({
	displayName: 'Columns',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'autoMapInputData', value: null },
	required: true,
	builderHint: {
		propertyHint:
			"Keep mappingMode 'autoMapInputData': headings such as 'Phone Number' or 'Amount (KES)' are understood. Use 'defineBelow' only for columns that no heading explains.",
	},
	description:
		'Which column fills which field. Columns that fit no field are listed after the run.',
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

/** Above it the editor says by itself that columns must be named like the fields; ours need not. */
const columnsNotice: INodeProperties = {
	displayName:
		'Beside the names of the fields, headings such as "Phone Number", "Invoice No" or "Amount (KES)" are understood. A sheet that lacks a required column is refused before anything is sent.',
	name: 'columnsNotice',
	type: 'notice',
	default: '',
	displayOptions: {
		show: { inputMode: ['columns'], '/columns.mappingMode': ['autoMapInputData'] },
	},
};

/** Fields that are filled one by one, or together from the columns of a sheet. */
export const fieldsOrColumns = (
	resourceMapperMethod: string,
	fields: Readonly<Record<string, Field<unknown>>>,
): INodeProperties[] => [
	inputMode,
	...propertiesOf(fields).map((field) => ({
		...field,
		displayOptions: { show: { inputMode: ['fields'] } },
	})),
	columns(resourceMapperMethod),
	columnsNotice,
];

/** The group whose members count as fields of the operation itself. */
export const ADDITIONAL_FIELDS = 'additionalFields';

export const additionalFields = (
	fields: Readonly<Record<string, Field<unknown>>>,
): INodeProperties => ({
	displayName: 'Additional Fields',
	name: ADDITIONAL_FIELDS,
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options: propertiesOf(fields).sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/** How the saved parameters of a node say that its rows are to be read. */
export function inputModeOf({
	inputMode: mode,
	columns: mapper,
}: Readonly<Record<string, unknown>>): {
	mode: InputMode;
	/** The user mapped each column by hand. */
	mappedByHand: boolean;
} {
	const { mappingMode } = (mapper ?? {}) as { mappingMode?: string };
	return {
		mode: mode === 'columns' ? 'columns' : 'fields',
		mappedByHand: mappingMode === 'defineBelow',
	};
}

/** What every operation with two input modes has. */
const OF_MODE = ['inputMode', 'columns', 'columnsNotice'];

/** The fields of one input mode say nothing in the other; the mode itself is no field at all. */
export const propertiesIn = (
	mode: InputMode,
	properties: readonly INodeProperties[],
): INodeProperties[] =>
	properties.filter(({ name, displayOptions }) => {
		if (OF_MODE.includes(name)) return false;
		const modes = displayOptions?.show?.inputMode;
		return modes === undefined || modes.includes(mode);
	});

/** A field that a column of a sheet can fill. */
export interface Column {
	/** Parameter name. */
	field: string;
	label: string;
	required: boolean;
}

/** Not fields of a row, or files, which no cell can hold. */
const NO_COLUMNS = [...OF_MODE, 'options', 'logoBase64', 'logoBinaryProperty', 'waitLimitMinutes'];

/** The words that lists with a search must carry in the editor mean nothing to a sheet. */
const withoutListWords = (label: string): string => label.replace(/ Name or ID$/, '');

const members = (property: INodeProperties): INodeProperties[] =>
	property.name === ADDITIONAL_FIELDS ? (property.options as INodeProperties[]) : [property];

/** The fields of an operation that the columns of a sheet can fill. */
export const columnsOf = (properties: readonly INodeProperties[]): Column[] =>
	properties
		.flatMap(members)
		.filter(({ name }) => !NO_COLUMNS.includes(name))
		.map(({ name, displayName, required }) => ({
			field: name,
			label: withoutListWords(displayName),
			required: required === true,
		}));

/** What the editor offers when columns are mapped by hand. */
export function mapperFieldsOf(properties: readonly INodeProperties[]): ResourceMapperFields {
	return {
		fields: columnsOf(properties).map(({ field, label, required }) => ({
			id: field,
			displayName: label,
			required,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			type: 'string',
		})),
	};
}
