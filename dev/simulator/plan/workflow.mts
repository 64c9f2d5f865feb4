import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { connect, node, pass } from '../../host/engine/build.mts';
import { ACTION, TRIGGER, type SavedWorkflow } from '../engine/n8n.mts';
import { REDIRECT } from '../service/ledger.mts';
import { fileOf, FILES, TRIGGER_URL } from './files.mts';
import { graphOf, who } from './graphs.mts';
import type { Flow, OnDuplicate, Plan, SheetRow } from './plan.mts';

/** The cells of a row, under headings that are understood in columns mode. */
export function cellsOf(row: SheetRow, flow: Flow): IDataObject {
	const isLink = isAboutLinks(flow);
	const own = flow.file && FILES[flow.file].cells;
	if (own !== undefined) return own(row);
	return {
		...(row.order !== null && { Order: row.order }),
		Amount: row.amount,
		Country: 'Kenya',
		Phone: row.phone,
		...(isLink
			? {
					Email: `${row.customer.toLowerCase()}@example.com`,
					'First Name': row.customer,
					Item: row.item,
					Business: 'Amina Shop',
					Redirect: REDIRECT + row.tag,
				}
			: { CustomerId: row.tag }),
		...(row.key !== null && { Key: row.key }),
		...(flow.callback !== 'none' && !isWaiting(flow) && { Callback: TRIGGER_URL }),
		...row.written,
	};
}

export const isAboutLinks = ({ kind }: Flow): boolean =>
	kind === 'links' || kind === 'linksAndWait' || kind === 'loopAndWait';

export const isWaiting = ({ kind }: Flow): boolean => kind !== 'links' && kind !== 'collections';

/** The only place that knows the names of the action node's parameters. */
export function createParameters(
	flow: Flow,
	onDuplicate: OnDuplicate,
	approvedFingerprint?: string,
): INodeParameters {
	const isLink = isAboutLinks(flow);
	const cell = (heading: string) => `={{ $json[${JSON.stringify(heading)}] ?? "" }}`;
	const callback =
		flow.callback !== 'none' && !isWaiting(flow) ? { callbackUrl: cell('Callback') } : {};
	const fields: INodeParameters = isLink
		? {
				inputMode: 'fields',
				country: cell('Country'),
				amount: cell('Amount'),
				businessName: cell('Business'),
				itemName: cell('Item'),
				orderReference: cell('Order'),
				...callback,
				additionalFields: {
					email: cell('Email'),
					firstName: cell('First Name'),
					phone: cell('Phone'),
					redirectionUrl: cell('Redirect'),
				},
			}
		: {
				inputMode: 'fields',
				country: cell('Country'),
				amount: cell('Amount'),
				mobile: cell('Phone'),
				orderReference: cell('Order'),
				...callback,
				additionalFields: { thirdPartyReference2: cell('CustomerId') },
			};
	const columns: INodeParameters = {
		inputMode: 'columns',
		columns: { mappingMode: 'autoMapInputData', value: null },
	};
	const { guard } = flow;
	return {
		resource: isLink ? 'paymentLink' : 'collection',
		operation: flow.kind === 'collectAndWait' ? 'createAndWait' : 'create',
		...(flow.mode === 'fields' ? fields : columns),
		...(flow.kind === 'collectAndWait' && { waitLimitMinutes: flow.waitMinutes }),
		options: {
			concurrency: flow.concurrency,
			onDuplicate,
			...(flow.isKeyed && { duplicateKey: '={{ $json.Key ?? "" }}' }),
			...(approvedFingerprint !== undefined && { approvedFingerprint }),
			...(guard && { [guard.option]: guard.value ?? '={{ $json.NoSuchColumn }}' }),
			...(isLink && isWaiting(flow) && { waitInThisExecution: true }),
		},
	};
}

/** The workflow as it is saved, with what the operator has set for this run. */
export function workflowOf(
	flow: Flow,
	onDuplicate: OnDuplicate,
	approvedFingerprint?: string,
): SavedWorkflow {
	const { id, onError, retryOnFail } = flow;
	if (flow.file !== undefined) {
		const cells = flow.rows.map((row) => cellsOf(row, flow));
		return fileOf(flow.file, id, cells, onDuplicate);
	}
	const settings = {
		onError,
		...(retryOnFail && { retryOnFail, maxTries: 3, waitBetweenTries: 1000 }),
	};
	const create = node(
		'Create',
		ACTION,
		createParameters(flow, onDuplicate, approvedFingerprint),
		settings,
	);
	if (flow.graph !== undefined) return graphOf(flow.graph, id, create);
	const ends = [who('Done'), who('Failed')];
	if (flow.kind !== 'linksAndWait' && flow.kind !== 'loopAndWait') {
		return {
			id,
			nodes: [pass('Rows'), create, ...ends],
			connections: connect(['Rows', 'Create'], ['Create', 0, 'Done'], ['Create', 1, 'Failed']),
		};
	}
	const wait = node(
		'Wait',
		ACTION,
		{ resource: 'paymentLink', operation: 'waitUntilPaid', waitLimitMinutes: flow.waitMinutes },
		{ onError: 'continueRegularOutput' },
	);
	const nodes = [pass('Rows'), create, node('Send', 'simulator.send'), wait, ...ends];
	if (flow.kind === 'linksAndWait') {
		return {
			id,
			nodes,
			connections: connect(
				['Rows', 'Create'],
				['Create', 0, 'Send'],
				['Create', 1, 'Failed'],
				['Send', 'Wait'],
				['Wait', 'Done'],
			),
		};
	}
	return {
		id,
		nodes: [...nodes, node('Loop', 'simulator.loop')],
		connections: connect(
			['Rows', 'Loop'],
			['Loop', 1, 'Create'],
			['Create', 'Send'],
			['Send', 'Loop'],
			['Loop', 0, 'Wait'],
			['Wait', 'Done'],
		),
	};
}

/** The same sheet, looked at before anything is sent. */
export function checkOf(flow: Flow): SavedWorkflow {
	const { options, ...parameters } = createParameters(flow, 'skip');
	const { duplicateKey, waitInThisExecution } = options as INodeParameters;
	const check = node('Check', ACTION, {
		...parameters,
		operation: 'check',
		options: {
			...(duplicateKey !== undefined && { duplicateKey }),
			...(waitInThisExecution !== undefined && { waitInThisExecution }),
		},
	});
	return { id: flow.id, nodes: [pass('Rows'), check], connections: connect(['Rows', 'Check']) };
}

export const triggerWorkflow = ({ verification }: Plan): SavedWorkflow => ({
	id: 'trigger',
	nodes: [
		node(
			'Trigger',
			TRIGGER,
			{ verification, options: { simplify: false } },
			{ typeVersion: 2, webhookId: 'hook' },
		),
		pass('Callback'),
		pass('Rejected'),
	],
	connections: connect(['Trigger', 0, 'Callback'], ['Trigger', 1, 'Rejected']),
});
