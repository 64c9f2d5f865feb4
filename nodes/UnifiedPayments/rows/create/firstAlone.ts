import type { CreateOperation } from '../operation';
import { nameOfItsOwn } from '../../payment/key';
import { NotAttemptedError } from '../../transport/errors';
import { isReady, itemIn, outcomeOfRow, type ReadyRow, type Row, type RowResult } from '../row';

export const ADD_CALLBACK_URL =
	"Add a 'Callback URL': any https address of yours will do, and the order is added to it.";

/** Without a callback URL the list does not say which link is whose: it comes with the reply, or never. */
export const needsLinkInReply = (
	{ lookUp }: CreateOperation,
	{ request: { prepared } }: ReadyRow,
): boolean => lookUp === 'list' && prepared.params.callback_url === undefined;

/** Sends links without a callback URL one by one until a reply shows whether links come with it. */
export function createFirstAlone(operation: CreateOperation) {
	let isSettled = false;
	let refusal: NotAttemptedError | null = null;
	let before: Promise<unknown> = Promise.resolve();

	function learn(row: ReadyRow, result: RowResult): void {
		if (isSettled || outcomeOfRow(result) !== 'accepted') return;
		isSettled = true;
		if (itemIn(result).link === null) refusal = wouldBeLost(row);
	}

	return {
		/** What happened in an earlier try of this run counts, too. */
		after(row: Row): void {
			if (isReady(row) && row.result && needsLinkInReply(operation, row)) learn(row, row.result);
		},
		/** `send` is told why not to, if there is a reason. */
		async run(
			row: ReadyRow,
			send: (refusal: NotAttemptedError | null) => Promise<RowResult>,
		): Promise<RowResult> {
			if (!needsLinkInReply(operation, row)) return await send(null);
			const alone = before.then(async () => {
				if (isSettled) return null;
				const result = await send(null);
				learn(row, result);
				return result;
			});
			before = alone;
			return (await alone) ?? (await send(refusal));
		},
	};
}

const wouldBeLost = ({ name, request }: ReadyRow) =>
	new NotAttemptedError(
		`Not sent: the reply to ${name} held no link, and without a callback URL the link of this row could not be found either`,
		`${ADD_CALLBACK_URL} Give ${name} ${nameOfItsOwn(request.key)}, because it was sent already.`,
	);
