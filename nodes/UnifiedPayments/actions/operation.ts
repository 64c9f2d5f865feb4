import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { RawFields } from '../fields/text';
import type { RowOptions } from '../fields/options';
import type { Reply } from '../protocol/reply';
import type { Client, Params } from '../transport/client';

export type Json = Record<string, unknown>;

/** What the host alone can give an operation for one row. */
export interface RowHost {
	/** The content of a file of this row; null when it has none by that name. */
	binary(property: string): Promise<Buffer | null>;
	/** What is made of the same source is made once for all rows: a large logo is kept once. */
	once<T>(source: unknown, make: () => T): T;
}

interface Described {
	/** The entry of the operation picker; its `value` is what workflows save. */
	option: INodePropertyOptions;
	/** The operation's own fields, without the picker. */
	properties: INodeProperties[];
}

/** Asking twice changes nothing: run row by row, tried again when that may help. */
export interface ReadOperation extends Described {
	kind: 'read';
	run(raw: RawFields, options: RowOptions, client: Client): Promise<Json[]>;
}

/** A create, checked and ready to be sent. */
export interface Prepared {
	/** Exactly what becomes `params` on the wire. */
	params: Params;
	/** The same as items may show it: without the logo and the callback token. */
	shown: Json;
	/** What the payer must do next, where the specification says so. */
	nextStep?: string;
}

/** Makes something happen: every row is checked before the first is sent, and sent once. */
export interface CreateOperation extends Described {
	kind: 'create';
	/** What is created, in the user's words: "the collection". */
	name: string;
	path: string;
	prepare(
		raw: RawFields,
		options: RowOptions,
		callbackToken: string | null,
		host: RowHost,
	): Promise<Prepared>;
	/** What the reply of an accepted create adds to the item. */
	shape(reply: Reply): Json;
	/** Fields that every item of this operation has, also when nothing was sent. */
	empty: Json;
}

export type Operation = ReadOperation | CreateOperation;

export interface Resource {
	option: INodePropertyOptions;
	/** The list of operations in the editor. */
	picker: INodeProperties;
	/** By the value that workflows save. */
	operations: Readonly<Record<string, Operation>>;
}
