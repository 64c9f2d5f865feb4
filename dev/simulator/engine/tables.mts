import type { IDataObject } from 'n8n-workflow';

export interface Column {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'date';
}

export interface TableRow extends IDataObject {
	id: number;
	createdAt: string;
	updatedAt: string;
}

interface Table {
	id: string;
	name: string;
	columns: Column[];
	rows: TableRow[];
	createdAt: string;
	/** No number is given twice. */
	last: number;
}

export interface Condition {
	keyName: string;
	condition?: string;
	keyValue?: unknown;
}

export interface Filter {
	matchType: string;
	conditions: readonly Condition[];
}

const SYSTEM: Column[] = [
	{ name: 'id', type: 'number' },
	{ name: 'createdAt', type: 'date' },
	{ name: 'updatedAt', type: 'date' },
];

/** n8n's data tables, in its database: they outlive every kill. Each access takes a while, and what it writes is there at once. */
export class Tables {
	private readonly tables: Table[] = [];

	constructor(
		private readonly now: () => number,
		private readonly reached: () => Promise<void> = async () => undefined,
	) {}

	/** For whoever looks at a table from outside. */
	rowsOf(name: string): TableRow[] {
		return this.tables.find((each) => each.name === name)?.rows ?? [];
	}

	async create(name: string, columns: Column[]): Promise<Table> {
		await this.reached();
		const known = this.tables.find((each) => each.name === name);
		if (known !== undefined) return known;
		const createdAt = this.time();
		const id = String(this.tables.length + 1);
		const table: Table = { id, name, columns, rows: [], createdAt, last: 0 };
		this.tables.push(table);
		return table;
	}

	async get(name: string, filter: Filter, limit = Infinity): Promise<TableRow[]> {
		await this.reached();
		return this.matching(name, filter).slice(0, limit).map(copied);
	}

	async insert(name: string, rows: readonly IDataObject[]): Promise<TableRow[]> {
		await this.reached();
		const table = this.named(name);
		return rows.map((row) => {
			const time = this.time();
			const empty = Object.fromEntries(table.columns.map((column) => [column.name, null]));
			const given = this.stored(table, row);
			const own = { id: ++table.last, createdAt: time, updatedAt: time, ...empty, ...given };
			table.rows.push(own);
			return copied(own);
		});
	}

	async update(name: string, row: IDataObject, filter: Filter): Promise<TableRow[]> {
		await this.reached();
		const found = this.matching(name, filter);
		const given = this.stored(this.named(name), row);
		for (const each of found) Object.assign(each, given, { updatedAt: this.time() });
		return found.map(copied);
	}

	/** Two steps: whoever else does the same in between makes a second row. */
	async upsert(name: string, row: IDataObject, filter: Filter): Promise<TableRow[]> {
		const updated = await this.update(name, row, filter);
		return updated.length > 0 ? updated : await this.insert(name, [row]);
	}

	private time(): string {
		return new Date(this.now()).toISOString();
	}

	/** n8n looks for a part of the name. */
	private named(name: string): Table {
		const table = this.tables.find((each) => each.name.toLowerCase().includes(name.toLowerCase()));
		if (table === undefined) throw new Error(`Data table with name "${name}" not found`);
		return table;
	}

	private matching(name: string, { matchType, conditions }: Filter): TableRow[] {
		const { rows, columns } = this.named(name);
		const holds = (row: TableRow) => (each: Condition) =>
			isMet(row[each.keyName], each, typeOf(columns, each.keyName));
		return rows.filter((row) =>
			matchType === 'anyCondition' && conditions.length > 0
				? conditions.some(holds(row))
				: conditions.every(holds(row)),
		);
	}

	private stored({ columns, name }: Table, row: IDataObject): IDataObject {
		return Object.fromEntries(
			Object.entries(row).map(([key, value]) => {
				const column = columns.find((each) => each.name === key);
				if (column === undefined) throw new Error(`unknown column name '${key}' in ${name}`);
				if (value === null || value === undefined) return [key, null];
				return [key, column.type === 'date' ? new Date(value as string).toISOString() : value];
			}),
		);
	}
}

const copied = (row: TableRow): TableRow => ({ ...row });

const typeOf = (columns: readonly Column[], name: string) =>
	[...SYSTEM, ...columns].find((each) => each.name === name)?.type;

function isMet(
	cell: unknown,
	{ condition = 'eq', keyValue }: Condition,
	type: Column['type'] | undefined,
): boolean {
	const isEmpty = cell === null || cell === undefined;
	const isBlank = isEmpty || (type === 'string' && cell === '');
	if (condition === 'isEmpty') return isBlank;
	if (condition === 'isNotEmpty') return !isBlank;
	const wanted = keyValue ?? null;
	if (wanted === null) return condition === 'eq' ? isEmpty : condition === 'neq' && !isEmpty;
	const comparable = (value: unknown) =>
		type === 'date' ? Date.parse(String(value)) : type === 'number' ? Number(value) : String(value);
	if (isEmpty) return condition === 'neq';
	const [own, other] = [comparable(cell), comparable(wanted)];
	switch (condition) {
		case 'eq':
			return own === other;
		case 'neq':
			return own !== other;
		case 'lt':
			return own < other;
		case 'gt':
			return own > other;
		case 'like': {
			const parts = String(wanted)
				.split('%')
				.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
			return new RegExp(`^${parts.join('.*')}$`, 's').test(String(cell));
		}
		default:
			throw new Error(`There is no condition ${condition}`);
	}
}
