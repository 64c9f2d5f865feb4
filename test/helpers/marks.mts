import type { IDataObject } from 'n8n-workflow';

import { withMark, writeMark } from '../../nodes/UnifiedPayments/payment/mark.ts';
import { readCredential } from '../../nodes/UnifiedPayments/protocol/credential.ts';

/** What our callback URLs carry about an order of KES. */
export const markOf = (
	credential: IDataObject,
	orderReference: string | null,
	amount = '1500',
): string =>
	writeMark(
		readCredential(credential),
		{
			...{ kind: 'link', orderReference, amount, currency: 'KES', isOneOfSeveral: false },
			key: { key: String(orderReference), by: 'orderReference', values: null },
		},
		{ workflowId: 'w', nodeId: 'n' },
	);

/** An address as the node would give it to the service. */
export const markedUrl = (url: string, credential: IDataObject, order: string | null): string =>
	withMark(url, markOf(credential, order));

/** The same as the query of an address. */
export const markedQuery = (
	credential: IDataObject,
	order: string | null,
	amount?: string,
): string => withMark('', markOf(credential, order, amount)).slice(1);
