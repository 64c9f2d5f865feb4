import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field, RawFields } from '../fields/field';
import type { RowOptions } from '../fields/options';
import type { Json } from '../protocol/parse';
import type { FieldNames, Reply } from '../protocol/reply';
import type { ServiceSettings } from '../protocol/credential';
import type { PaymentValues } from '../payment/payment';
import type { Client, Params } from '../transport/client';

/** The files of one row, which only n8n can give. */
export interface RowFiles {
	/** The content of a file of this row; null when it has none by that name. */
	binary(property: string): Promise<Buffer | null>;
	/** What is made of the same source is made once for all rows: a large logo is kept once. */
	shared<T>(source: unknown, make: () => T): T;
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

/** A question that is asked until its answer is final, or time is up. */
interface Poll {
	longestMs: number;
	intervalMs: number;
	/** One question to the service; null when it does not know the answer yet. */
	look(client: Client): Promise<Look | null>;
	/** The final answer, as the item shows it. */
	found(json: Json): Json;
	/** What comes out when time is up, with the last answer; it may throw. */
	timedOut(last: Json | null): Json;
}

export interface Look {
	json: Json;
	isFinal: boolean;
}

/** Asked again and again, all rows side by side, while the execution runs. */
export interface PollOperation extends Described {
	kind: 'poll';
	prepare(raw: RawFields, options: RowOptions): Poll;
}

/** A create, checked and ready to be sent. */
export interface Prepared {
	/** Exactly what becomes `params` on the wire. */
	params: Params;
	/** Whether the amount is written with two decimals. */
	twoDecimals?: boolean;
	/** The same as items may show it: without the logo. */
	shown: Json;
	/** What the payer must do next, where the specification says so. */
	nextStep?: string;
}

/** With what it is about, by which the same payment is known again. */
interface CheckedFields extends Prepared {
	payment: PaymentValues;
}

/** Makes something happen: every row is checked before the first is sent, and sent once. */
export interface CreateOperation extends Described {
	kind: 'create';
	/** What is created, in the user's words: "the collection". */
	name: string;
	path: string;
	/** Its `callback_url` is as the user gave it; a row that the execution waits for needs none. */
	prepare(
		raw: RawFields,
		settings: ServiceSettings,
		files: RowFiles,
		isAwaited: boolean,
	): Promise<CheckedFields>;
	/** What the reply of an accepted create adds to the item. */
	fromReply(reply: Reply, sent: Readonly<Json>, names: FieldNames): Json;
	/** The same fields for a row without a reply: every item of the operation has them. */
	noReply: Json;
	/** For how many minutes the execution waits for what was created; undefined when it does not. */
	waits?: Field<number>;
}

/** Looks at all rows together, as the create would, and sends nothing. */
export interface CheckOperation extends Described {
	kind: 'check';
	of: CreateOperation;
}

/** Creates nothing: the execution sleeps until what was created before is final. */
export interface WaitOperation extends Described {
	kind: 'wait';
	waits: Field<number>;
}

/** Run row by row. */
export type RowOperation = ReadOperation | PollOperation | CreateOperation;

export type Operation = RowOperation | CheckOperation | WaitOperation;

/** Not for AI agents: what waits, since their tools run without a pause, and what gives a secret. */
export const NOT_AS_TOOL = {
	displayOptions: { hide: { '@tool': [true] } },
} satisfies Partial<INodePropertyOptions>;

export interface Resource {
	/** Its `value` is what workflows save. */
	option: INodePropertyOptions;
	/** In the order of the editor; the first is the default. */
	operations: readonly [Operation, ...Operation[]];
}
