import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { InputError } from '../../../../nodes/UnifiedPayments/fields/inputError.ts';
import { toRowError } from '../../../../nodes/UnifiedPayments/rows/report/rowError.ts';
import { createRowNames } from '../../../../nodes/UnifiedPayments/rows/rowNames.ts';
import { CallError, NotSentError } from '../../../../nodes/UnifiedPayments/transport/errors.ts';
import { failureOf } from '../../../../nodes/UnifiedPayments/transport/verdict.ts';
import { Redactor } from '../../../../nodes/UnifiedPayments/transport/redact.ts';

const node = { name: 'Node', type: 'x', typeVersion: 1, parameters: {} } as INode;
const redactor = new Redactor();
redactor.add(['canary-secret']);
const names = createRowNames(() => []);
const label = (field: string) => `Label of ${field}`;
const door = { node, redactor, label, names, unreached: null };

it('bad input says row, field, value and what is allowed', () => {
	const thrown = new InputError([
		{ field: 'amount', given: 'canary-secret', reason: 'which is odd', allowed: 'Give another.' },
		{ field: 'mobile', given: '', reason: 'but it is needed', allowed: 'Give one.' },
	]);
	const { error, details } = toRowError(thrown, 2, door);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.message).toBe(`'Label of amount' in this item is "***", which is odd [Item 2]`);
	expect(error.description).toBe(
		"Give another. Also: 'Label of mobile' is missing in this item. Give one. Nothing was sent for this row.",
	);
	expect(details).toMatchObject({ row: null, outcome: 'not_sent', fields: ['amount', 'mobile'] });
});

it('a refusal of the service is an API error with its status', () => {
	const failure = failureOf('refused', { status: 400, serviceMessage: 'canary-secret is bad' });
	const subject = { name: 'the link', creates: true };
	const thrown = new CallError(failure, subject, 'rejected', { a: 'canary-secret' });
	const { error, details } = toRowError(thrown, 0, door);
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({ httpCode: '400', context: { itemIndex: 0 } });
	expect(error.message).toBe('The service declined the link: *** is bad (HTTP 400) [Item 0]');
	expect(details).toEqual({
		row: null,
		outcome: 'rejected',
		description: error.description,
		fields: [],
		issues: [],
		httpStatus: 400,
		serviceMessage: '*** is bad',
		request: { a: '***' },
	});
});

const ofHost = (description?: string) => new NodeOperationError(node, 'boom', { description });
const GENERAL = /Check the parameters/;

it.each([
	['an error', new Error('boom canary-secret'), 'boom ***', GENERAL],
	['a text', 'boom', 'boom', GENERAL],
	['a text with the place of the item', 'boom [item 3]', 'boom', GENERAL],
	['an error of the host', ofHost('Do this'), 'boom', /^Do this$/],
])('%s from the host is passed on in its own words', (_, thrown, words, description) => {
	const { error, details } = toRowError(thrown, 3, door);
	expect(error.message).toBe(`This item could not be read: ${words} [Item 3]`);
	expect(error.description).toMatch(description);
	expect(details.outcome).toBeNull();
});

it('an unread row of a create was not sent', () => {
	const create = { ...door, unreached: 'not_sent' as const };
	const outcomeOf = (error: Error) => toRowError(error, 0, create).details.outcome;
	expect(outcomeOf(new Error('boom'))).toBe('not_sent');
	expect(outcomeOf(new NotSentError('a', 'b', 'duplicate'))).toBe('duplicate');
});
