import { isInErrorTable } from '../../../protocol/errorTable';
import type { Json } from '../../../protocol/parse';
import { CallError } from '../../../transport/errors';
import type { Failure } from '../../../transport/verdict';

type Holds = 'yes' | 'no' | 'cannotTell';

export interface Finding {
	assumption: string;
	holds: Holds;
	/** Without secrets, and without anything about a customer. */
	seen: string;
	/** Where it is set; empty when nothing has to be, or can be. */
	setting: string;
	advice: string;
	/** What to enter in the credential, by the labels of its fields. */
	enter: Readonly<Record<string, string>>;
}

export const finding = (
	assumption: string,
	holds: Holds,
	seen: string,
	[setting, advice]: readonly [setting: string, advice: string] = ['', ''],
	enter: Finding['enter'] = {},
): Finding => {
	const toDo = holds === 'no' ? { setting, advice } : { setting: '', advice: '' };
	return { assumption, holds, seen, ...toDo, enter };
};

/** What nobody can set. */
export const REPORT = ['', 'Send this line to the makers of this node.'] as const;

/** A question, as it ended. */
export type Asked<T> = { value: T } | { failure: Failure };

export const asked = async <T>(question: Promise<T>): Promise<Asked<T>> =>
	await question.then((value) => ({ value }), failureIn);

function failureIn(error: unknown): { failure: Failure } {
	if (error instanceof CallError) return { failure: error.failure };
	throw error;
}

/**
 * What the service plainly declined; anything else may be otherwise tomorrow. A 403 without its own
 * words may be from a firewall before it.
 */
export const isNo = ({ kind, status, serviceMessage }: Failure): boolean =>
	kind === 'refused' || (kind === 'notAuthorized' && (status === 401 || serviceMessage !== null));

/** The service's words may be about a customer, so only those of the specification are shown. */
export function said(failure: Failure): string {
	const { kind, status, serviceMessage, code } = failure;
	const http = status === null ? '' : ` (HTTP ${status})`;
	if (serviceMessage !== null && isInErrorTable(serviceMessage)) {
		return `The service said: ${serviceMessage}${http}`;
	}
	if (isNo(failure)) {
		return `The service declined with a message that is not in its documentation${http}`;
	}
	return kind === 'notAuthorized'
		? `Declined without a message of the service, perhaps by a firewall${http}`
		: `No usable answer: ${code ?? kind}${http}`;
}

const NAME = /^[A-Za-z_][A-Za-z_\d]{0,39}$/;

/** Names of fields, never their values. A name that is none is not shown either. */
export const namesIn = (record: Json): string =>
	Object.keys(record)
		.map((name) => (NAME.test(name) ? name : '…'))
		.join(', ') || 'no fields';
