import type {
	INodeListSearchItems,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyMode,
} from 'n8n-workflow';

/** One thing of the service, picked from a list or named; the list is asked for in the editor. */
export const locatorProperty = (
	searchListMethod: string,
	property: Omit<INodeProperties, 'type' | 'default' | 'modes'>,
	named: ReadonlyArray<Omit<INodePropertyMode, 'type'>>,
): INodeProperties => ({
	...property,
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod, searchable: true },
		},
		...named.map((mode): INodePropertyMode => ({ ...mode, type: 'string' })),
	],
});

/** What was picked or named. Expressions, AI agents and older workflows give the plain value. */
export const locatedIn = (given: unknown): unknown =>
	typeof given === 'object' && given !== null && 'mode' in given && 'value' in given
		? given.value
		: given;

/** How many entries of a list the editor gets at a time. */
const PAGE = 100;

/** One page of a list of the editor: what was typed is found in names and values alike. */
export function pageOf(
	entries: readonly INodeListSearchItems[],
	typed = '',
	token = '0',
): INodeListSearchResult {
	const wanted = typed.trim().toLowerCase();
	const found = entries.filter(({ name, value }) =>
		`${name}\n${value}`.toLowerCase().includes(wanted),
	);
	const start = Number(token);
	const next = start + PAGE;
	return {
		results: found.slice(start, next),
		...(next < found.length && { paginationToken: String(next) }),
	};
}
