import type { INode } from 'n8n-workflow';

import { InputError, SheetError } from '../../../nodes/UnifiedPayments/fields/inputError.ts';
import { outcomeIn } from '../../../nodes/UnifiedPayments/protocol/explainedError.ts';
import {
	CallError,
	NotAttemptedError,
	NotSentError,
	TimedOutError,
	toNodeError,
	withoutData,
} from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { failureOf, type FailureKind } from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const NODE = { name: 'Pay', type: 't', typeVersion: 1, parameters: {} } as INode;
const ISSUE = { field: 'amount', given: 'x', reason: 'is no number', allowed: 'a number' };
const SUBJECT = { name: 'the collection', creates: true };
const SAID = { message: 'It went wrong', description: 'Look again.' };

const failed = (kind: FailureKind, details: Parameters<typeof failureOf>[1] = {}) =>
	new CallError(failureOf(kind, details), SUBJECT);

const asNodeError = (error: unknown, redactor = new Redactor()) =>
	toNodeError(error, SAID, 3, NODE, redactor);

describe('the outcome that an error stands for', () => {
	it.each<[string, unknown, string | null]>([
		['of a create', new CallError(failureOf('noReply', {}), SUBJECT, 'unknown'), 'unknown'],
		['of a read', failed('noReply'), null],
		['of a row that was not sent', new NotSentError('m', 'd'), 'not_sent'],
		['of one that was left alone', new NotAttemptedError('m', 'd'), 'not_sent'],
		['of one that was sent before', new NotSentError('m', 'd', 'duplicate'), 'duplicate'],
		['of a field', new InputError([ISSUE]), 'not_sent'],
		['of a sheet', new SheetError('m', 'd'), 'not_sent'],
		['of anything else', new Error('m'), null],
		['of what is no error', 'm', null],
	])('%s', (_, error, outcome) => {
		expect(outcomeIn(error)).toBe(outcome);
	});
});

describe('what leaves the node', () => {
	it('names the item, and says what to do', () => {
		const { error, details } = asNodeError(new Error('m'));
		expect(error.message).toBe('It went wrong [Item 3]');
		expect(error.description).toBe('Look again.');
		expect(error.context.itemIndex).toBe(3);
		const { description } = SAID;
		expect(details).toEqual({ description, httpStatus: null, serviceMessage: null });
	});

	it('has the status and the words of the service, without secrets', () => {
		const redactor = new Redactor();
		redactor.add(['very-secret-text']);
		const call = failed('refused', { status: 422, serviceMessage: 'No: very-secret-text' });
		const { error, details } = asNodeError(call, redactor);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '422' });
		expect(details.httpStatus).toBe(422);
		expect(details.serviceMessage).toMatch(/^No: /);
		expect(details.serviceMessage).not.toContain('very-secret-text');
	});

	it('has no status when there was no answer', () => {
		const { error, details } = asNodeError(failed('noReply'));
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: null });
		expect(details).toMatchObject({ httpStatus: null, serviceMessage: null });
	});
});

it('a reply without what was asked for is no create, and has the words of the service', () => {
	const reply = { success: true as const, message: 'ok', data: {}, body: {} };
	const { failure, subject } = withoutData(reply, 'the token');
	expect(failure).toMatchObject({ kind: 'invalidReply', serviceMessage: 'ok' });
	expect(subject).toEqual({ name: 'the token', creates: false });
});

it.each([
	['pending', 'The transaction "R" is still "pending" after 5 seconds'],
	[null, 'The transaction "R" is not known to the service after 5 seconds'],
])('a transaction that was not final in time: %j', (status, message) => {
	const description = expect.stringMatching(
		/^It may still become final\. Ask for it later/,
	) as string;
	expect(new TimedOutError('R', 5, status)).toMatchObject({ message, description });
});
