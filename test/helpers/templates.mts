/** Text and numbers as a person would type them into the cells. */
type Cell = string | number;

export interface Template {
	name: string;
	/** Heading and example. */
	columns: ReadonlyArray<readonly [heading: string, example: Cell]>;
}

/** Sheets to begin with: the headings that the node reads, and one row as an example. */
export const TEMPLATES: readonly Template[] = [
	{
		name: 'payment-links',
		columns: [
			['Order Reference', 'EXAMPLE-1'],
			['Item Name', 'Example: replace this row'],
			// Not an amount yet, so that no link is made when the row is left in.
			['Amount', 'e.g. 1250.50'],
			['Country', 'Kenya'],
			['Business Name', 'Your Shop'],
			['Customer First Name', 'Amina'],
			['Customer Last Name', 'Otieno'],
			['Customer Email', 'amina@example.com'],
			['Customer Phone', '0712 345678'],
		],
	},
	{
		name: 'collections',
		columns: [
			['Order Reference', 'EXAMPLE-1'],
			['Amount', 1250.5],
			['Country', 'Kenya'],
			// Not a number yet, so that nobody is asked for money when the row is left in.
			['Mobile', 'e.g. 0712 345678'],
			['Customer ID', 'customer 77'],
		],
	},
];

const quoted = (cell: Cell): string => {
	const text = String(cell);
	return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const csvOf = ({ columns }: Template): string =>
	[0, 1].map((at) => columns.map((column) => quoted(column[at]!)).join(',')).join('\r\n') + '\r\n';
