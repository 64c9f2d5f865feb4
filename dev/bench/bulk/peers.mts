import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { SavedCredential } from '../../host/n8n/index.mts';
import type { Integration } from '../../sandbox/index.mts';
import type { Options } from './options.mts';
import { COUNTRIES, FIELDS, HEADINGS } from './sheet.mts';
import type { Field } from './sheet.mts';

/** One way to turn the rows of a sheet into collections. */
export interface Peer {
	/** For the command line, together with the lanes. */
	name: string;
	label: string;
	/** Requests it may have under way at once; null where the user cannot say. */
	lanes: number | null;
	/** Run one after another; the time of all of them counts. */
	nodes: INode[];
	/** Whether the rows carry a timestamp and a salt. */
	freshness: boolean;
	/** Payment links instead of collections, from a service whose replies hold none. */
	links: boolean;
	/** Rows it is given; fewer where a whole sheet would take too long. */
	rows: number;
}

export interface Setting {
	options: Options;
	url: string;
	integration: Integration;
	/** Of the node under test, and of the Crypto node. */
	credential: SavedCredential;
	cryptoCredential: SavedCredential;
	/** Whether this build of the node knows columns mode. */
	hasColumns: boolean;
}

const NODE_TYPE = 'n8n-nodes-unified-payments.unifiedPayments';
const BENCH = 'n8n-nodes-unified-payments-bench';
const PATH = '/api/v3/service-unified-collections';
const SEQUENTIAL_ROWS = 200;

/** Not run unless named. */
const EXTRA = ['constants', 'authentication', 'decrypted', 'wire'];

export function peersIn(setting: Setting): Peer[] {
	const { only, lanes } = setting.options;
	const most = lanes[0]!;
	const all = [
		...lanes.flatMap((each) => [
			...(setting.hasColumns ? [columns(setting, each)] : []),
			floor(setting, each),
			fields(setting, each),
			floor(setting, each, 'wire', 'bare node:http, no helper'),
		]),
		...(setting.hasColumns ? [links(setting, most)] : []),
		recipe(setting),
		batched(setting, most),
		usual(setting),
		sequential(setting),
		constants(setting, most),
		floor(setting, most, 'authentication', 'floor, sealed by the credential'),
		floor(setting, most, 'decrypted', 'floor, sealed by a credential at hand'),
	];
	return all.filter(({ name }) => (only === null ? !EXTRA.includes(name) : only.includes(name)));
}

const node = (name: string, type: string, typeVersion: number, parameters: INodeParameters) => ({
	id: name,
	name,
	type,
	typeVersion,
	position: [0, 0] as [number, number],
	parameters,
});

const using = (placed: INode, { id, name, type }: SavedCredential): INode => ({
	...placed,
	credentials: { [type]: { id, name } },
});

const cell = (field: Field) => `$json[${JSON.stringify(HEADINGS[field])}]`;
const cellExpressions = (names: readonly Field[]) =>
	Object.fromEntries(names.map((name) => [name, `={{ ${cell(name)} }}`]));

const ourNode = ({ credential }: Setting, lanes: number, parameters: IDataObject): INode =>
	using(
		node('Unified Payments', NODE_TYPE, 1, {
			resource: 'collection',
			operation: 'create',
			...parameters,
			options: { concurrency: lanes },
		} as INodeParameters),
		credential,
	);

const COLUMNS = {
	inputMode: 'columns',
	columns: {
		mappingMode: 'autoMapInputData',
		value: null,
		matchingColumns: [],
		schema: [],
		attemptToConvertTypes: false,
		convertFieldsToString: false,
	},
};

const columns = (setting: Setting, lanes: number): Peer =>
	peer(setting, 'columns', 'this node, columns', lanes, [ourNode(setting, lanes, COLUMNS)]);

/** A sheet of links whose replies are empty: each row's link comes from the list. */
function links(setting: Setting, lanes: number): Peer {
	const placed = ourNode(setting, lanes, { ...COLUMNS, resource: 'paymentLink' });
	const label = 'this node, links from the list';
	return { ...peer(setting, 'links', label, lanes, [placed]), links: true };
}

const ADDITIONAL: Field[] = ['thirdPartyReference2'];
const TOP_LEVEL = FIELDS.filter((field) => !ADDITIONAL.includes(field));

function fields(setting: Setting, lanes: number): Peer {
	const placed = ourNode(setting, lanes, {
		...(setting.hasColumns && { inputMode: 'fields' }),
		...cellExpressions(TOP_LEVEL),
		additionalFields: cellExpressions(ADDITIONAL),
	});
	return peer(setting, 'fields', 'this node, fields', lanes, [placed]);
}

/** What the node costs without the expressions: only the reference differs from row to row. */
function constants(setting: Setting, lanes: number): Peer {
	const placed = ourNode(setting, lanes, {
		country: 1,
		currency: 'KES',
		amount: '100',
		mobile: '254710000000',
		paymentMethodType: 'mobile money',
		...cellExpressions(['orderReference']),
	});
	return peer(setting, 'constants', 'this node, one expression', lanes, [placed]);
}

function floor(setting: Setting, lanes: number, via = 'request', label = 'floor'): Peer {
	const placed = node('Floor', `${BENCH}.benchFloor`, 1, { lanes, via });
	const name = via === 'request' ? 'floor' : via;
	return peer(setting, name, label, lanes, [using(placed, setting.credential)]);
}

function sequential(setting: Setting): Peer {
	const placed = node('Sequential', `${BENCH}.benchSequential`, 1, cellExpressions(FIELDS));
	return {
		...peer(setting, 'sequential', 'one row after another', 1, [using(placed, setting.credential)]),
		rows: Math.min(setting.options.rows, SEQUENTIAL_ROWS),
	};
}

const IDS = JSON.stringify(
	Object.fromEntries(Object.entries(COUNTRIES).map(([name, { id }]) => [name, id])),
);

/** What the service wants as params, in an expression; `value` says where a field comes from. */
const paramsWith = (value: (field: Field) => string) =>
	`{ amount: ${value('amount')}, mobile: ${value('mobile')}, country_id: ${IDS}[${value('country')}], ` +
	`currency: ${value('currency')}, payment_method_type: ${value('paymentMethodType')}, ` +
	`callback_url: ${value('callbackUrl')}, third_party_reference_1: ${value('orderReference')}, ` +
	`third_party_reference_2: ${value('thirdPartyReference2')} }`;

/** The Crypto node signs, the HTTP Request node sends: two expressions for each row. */
function signAndSend(setting: Setting, params: string, options: IDataObject = {}): INode[] {
	const { clientId, title } = setting.integration;
	const identity = `client_id: ${JSON.stringify(clientId)}, sender: ${JSON.stringify(title)}`;
	const signed = JSON.stringify(`${clientId}|${title}|`);
	return [
		using(
			node('Crypto', 'n8n-nodes-base.crypto', 2, {
				action: 'hmac',
				type: 'SHA256',
				value: `={{ ${signed} + $json.Timestamp + '|' + $json.Salt + '|' + JSON.stringify(${params}) }}`,
				dataPropertyName: 'signature',
				encoding: 'hex',
			}),
			setting.cryptoCredential,
		),
		node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, {
			method: 'POST',
			url: setting.url + PATH,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ JSON.stringify({ ${identity}, timestamp: $json.Timestamp, salt: $json.Salt, signature: $json.signature, params: ${params} }) }}`,
			options,
		} as INodeParameters),
	];
}

const recipe = (setting: Setting): Peer => ({
	...peer(setting, 'recipe', 'recipe, best form', null, signAndSend(setting, paramsWith(cell))),
	freshness: true,
});

function batched(setting: Setting, lanes: number): Peer {
	const batching = { batch: { batchSize: lanes, batchInterval: 0 } };
	const nodes = signAndSend(setting, paramsWith(cell), { batching });
	return {
		...peer(setting, 'batched', `recipe, batches of ${lanes}`, null, nodes),
		freshness: true,
	};
}

/** As most would build it: first a step that gives every field its name, then sign and send. */
function usual(setting: Setting): Peer {
	const edit = node('Edit Fields', 'n8n-nodes-base.set', 3.4, {
		assignments: {
			assignments: FIELDS.map((field) => ({
				id: field,
				name: field,
				value: `={{ ${cell(field)} }}`,
				type: field === 'amount' ? 'number' : 'string',
			})),
		},
		includeOtherFields: true,
		include: 'selected',
		includeFields: 'Timestamp, Salt',
		options: {},
	});
	const sign = signAndSend(
		setting,
		paramsWith((field) => `$json.${field}`),
	);
	return {
		...peer(setting, 'usual', 'recipe, usual form', null, [edit, ...sign]),
		freshness: true,
	};
}

const peer = (
	{ options }: Setting,
	name: string,
	label: string,
	lanes: number | null,
	nodes: INode[],
): Peer => ({ name, label, lanes, nodes, freshness: false, links: false, rows: options.rows });
