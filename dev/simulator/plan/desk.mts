import type { IDataObject, INode } from 'n8n-workflow';

import type { SavedWorkflow } from '../engine/n8n.mts';
import { REDIRECT } from '../service/ledger.mts';
import { saved } from './files.mts';
import type { DeskRow, Upload } from './plan.mts';

export const DESK_URL = 'https://n8n.example/webhook/desk/webhook';
export const DESK_TRIGGER = 'Payment changed';
export const DESK_TABLES = {
	rows: 'Payment desk: rows',
	payments: 'Payment desk: payments',
	letters: 'Payment desk: letters',
} as const;

/** A workflow of the desk as it is in its file, with what `docs/desk.md` asks to fill in. */
function deskWorkflow(file: 'links' | 'payments'): SavedWorkflow {
	const { nodes, connections } = saved(`desk/${file}`);
	return {
		id: `desk-${file}`,
		nodes: nodes.filter(({ type }) => !type.endsWith('.stickyNote')).map(withUrl),
		connections,
		...(file === 'links' && { calledAt: 'A batch to approve' }),
		timezone: 'Africa/Nairobi',
	};
}

function withUrl(node: INode): INode {
	if (node.name !== 'Settings') return node;
	const text = JSON.stringify(node.parameters);
	const url = text.replace(/"PASTE THE PRODUCTION URL[^"]*"/, JSON.stringify(DESK_URL));
	return { ...node, parameters: JSON.parse(url) as INode['parameters'] };
}

export const deskLinks = (): SavedWorkflow => deskWorkflow('links');
export const deskPayments = (): SavedWorkflow => deskWorkflow('payments');

export const emailOf = ({ customer, hasEmail }: DeskRow): string =>
	hasEmail ? `${customer.toLowerCase()}@example.com` : '';

/** The cells of a row; in a CSV file, everything is text. */
export function deskCells(row: DeskRow, { isCsv }: Upload): IDataObject {
	const amount = isCsv ? String(row.amount) : row.amount;
	return {
		'Order Reference': row.order,
		'Item Name': row.item,
		Amount: amount,
		Country: 'Kenya',
		'Business Name': 'Savanna Coffee',
		'Customer First Name': row.customer,
		'Customer Email': emailOf(row),
		'Customer Phone': row.phone,
		Redirect: REDIRECT + row.tag,
	};
}
