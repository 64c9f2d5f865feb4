import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { resumeAddress } from '../../../nodes/UnifiedPayments/waiting/address.ts';
import { aside, readItem } from '../../../nodes/UnifiedPayments/waiting/awaited.ts';

export const SAVED = {
	baseUrl: 'https://pay.example.com',
	clientId: 'c',
	sender: 's',
	secretKey: 'secret-key',
};
const account = readCredential(SAVED);

export const EXECUTION = 'https://n8n.example.com/webhook-waiting/17?signature=abc';

/** Where the callback about an order goes, in the execution of these tests or in another one. */
export const addressOf = (
	order: string,
	row = 0,
	execution = EXECUTION,
	kind: 'link' | 'collection' = 'collection',
): string =>
	withMark(
		resumeAddress(execution),
		writeMark(
			account,
			{
				...{ kind, orderReference: order, amount: '10', currency: 'KES' },
				...{ isOneOfSeveral: false, key: { key: order, by: 'orderReference', values: null } },
			},
			{ workflowId: 'workflow', nodeId: 'node', awaited: { execution, run: 0, row } },
		),
	);

/** What a create gives of an order. */
export const created = (order: string, over: Json = {}, request: Json = {}): Json => ({
	outcome: 'accepted',
	reference: null,
	request: {
		amount: 10,
		currency: 'KES',
		third_party_reference_1: order,
		callback_url: addressOf(order),
		...request,
	},
	...over,
});

/** The same, as it is put aside while its payment is waited for. */
export const asleep = (order: string, over: Json = {}, request: Json = {}): Json =>
	aside(readItem(created(order, over, request)), null, new Redactor());

/** The service's record of an order. */
export const recordOf = (order: string, over: Json = {}): Json => ({
	ref: `TX-${order}`,
	status: 'success',
	amount: '10.00',
	currency: 'KES',
	callback_url: addressOf(order),
	...over,
});

export type Answer = Json | Error | undefined;

export interface Service {
	/** The names that it was asked by. */
	asked: string[];
	/** The most questions that were open at the same time. */
	most: number;
	/** In place of n8n's own. */
	httpRequestWithAuthentication(type: string, request: Asked): Promise<object>;
}

interface Asked {
	url: string;
	body?: string;
}

/** A service that has these records, by name; a list is one answer after the other. */
export function serviceWith(
	records: Record<string, Answer | Answer[]>,
	links: Json[] | Error = [],
): Service {
	let open = 0;
	const reply = (statusCode: number, body: Json) => ({
		statusCode,
		headers: {},
		body: JSON.stringify(body),
	});
	const service: Service = {
		asked: [],
		most: 0,
		async httpRequestWithAuthentication(_, { url, body }) {
			if (url.endsWith('/list')) {
				service.asked.push('list');
				if (links instanceof Error) throw links;
				return reply(200, { success: true, message: null, data: links });
			}
			const { params: { id } = {} } = JSON.parse(body!) as { params?: { id?: string } };
			if (id === undefined) {
				return reply(200, { success: true, message: null, data: { token: 'a-token' } });
			}
			service.asked.push(id);
			service.most = Math.max(service.most, ++open);
			await new Promise(setImmediate);
			open--;
			const given = records[id];
			const record = Array.isArray(given) && given.length > 1 ? given.shift() : [given].flat()[0];
			if (record instanceof Error) throw record;
			return record === undefined
				? reply(400, { success: false, message: 'Transaction was not created!', data: {} })
				: reply(200, { success: true, message: null, data: record });
		},
	};
	return service;
}
