import { TRIGGER, type Execution } from '../engine/n8n.mts';
import type { MarkTrick } from '../plan/plan.mts';
import { isWhole, type Entry } from '../service/ledger.mts';
import { folded, knowsSuccess, orderOf, type Broken, type Emitted, type Facts } from './facts.mts';

type Json = Record<string, unknown>;

/** What the trigger gave out as a callback to be believed. */
export const emittedBy = ({
	live,
	start,
	workflow,
}: Execution): Array<Omit<Emitted, 'at'> & { paidInFull: unknown; asked: unknown }> =>
	(live?.resultData.runData[start]?.[0]?.data?.main?.[0] ?? []).map(({ json }) => {
		const transaction = (json.transaction ?? {}) as Json;
		return {
			ref: String(transaction.ref ?? json.ref ?? ''),
			state: String(json.state),
			order: typeof json.orderReference === 'string' ? json.orderReference : null,
			paidInFull: json.paidInFull,
			asked: json.asked,
			workflow: workflow.id,
		};
	});

/** Whether it was begun by a callback. */
export const isTriggered = ({ workflow, start }: Execution): boolean =>
	workflow.nodes.find(({ name }) => name === start)?.type === TRIGGER;

/** Judged when an execution of the trigger has ended. */
export function judgeEmitted(facts: Facts, execution: Execution): Broken[] {
	return emittedBy(execution).flatMap((each) => judgeOne(facts, execution, each));
}

/**
 * The payment whose order and amount a callback is told with: its own. Only where neither the service's record nor
 * an order in it or in the callback speaks against the URL that was called, that is believed.
 */
function believed(facts: Facts, { calledUrl, workflow, start }: Execution, own: Entry): Entry {
	const { ledger, plan } = facts;
	const trigger = workflow.nodes.find(({ name }) => name === start);
	const isConfirmed = trigger?.parameters.verification === 'confirm';
	const { records, recordsNameOrder } = plan.switches;
	const called = ledger.entries.find(({ callbackUrl }) => callbackUrl === calledUrl);
	const isStated = isConfirmed && records === 'callbackUrl' && isWhole(own);
	if (called === undefined || own.callbackUrl === calledUrl || isStated) return own;
	const isNamed =
		(recordsNameOrder || !isConfirmed) && own.params.third_party_reference_1 !== undefined;
	// A URL without an order has none that another could contradict.
	return isNamed && orderOf(facts, called.tag) !== null ? own : called;
}

function judgeOne(
	facts: Facts,
	execution: Execution,
	emitted: ReturnType<typeof emittedBy>[number],
): Broken[] {
	const { ref, state, order, paidInFull, asked } = emitted;
	const transaction = facts.ledger.transaction(ref);
	const broken: Broken[] = [];
	const breaks = (invariant: string, what: string) =>
		broken.push({ invariant, what: `${ref}: ${what}` });
	if (transaction === undefined) {
		breaks('a callback is about a payment', `told as ${state}, and the service does not know it`);
		return broken;
	}
	const { history, amount } = transaction;
	const entry = believed(facts, execution, transaction.entry);
	const isFinal = state === 'success' || state === 'failed';
	if (isFinal && !history.some((each) => each.state === state)) {
		breaks('a state is that of its payment', `told as ${state}, and it is not`);
	}
	const own = orderOf(facts, entry.tag);
	if (order !== null && folded(order) !== own) {
		breaks('a payment is that of its order', `told as that of ${order}, and it is that of ${own}`);
	}
	const isFull = amount >= entry.amount;
	if (paidInFull === true && (!isFull || state !== 'success')) {
		breaks('paid in full is paid in full', `told as paid in full: ${amount} of ${entry.amount}`);
	}
	// Where the service is not asked, the address that was called says what was asked for.
	const isOwn = facts.plan.verification === 'confirm' || isAsked(asked, entry.amount);
	if (state === 'success' && isFull && asked && isOwn && paidInFull !== true) {
		breaks('what is paid in full is told so', `paidInFull is ${String(paidInFull)}`);
	}
	return broken;
}

/** Judged at the end: what was acknowledged has come out, with its order where the address named it. */
export function judgeLost(facts: Facts): Broken[] {
	return facts.deliveries.flatMap(({ transaction, state, url, answers }) => {
		const heard = answers.find(({ status }) => status === 200)?.execution;
		if (heard?.result === undefined || heard.status !== 'done' || !isTriggered(heard)) return [];
		if (heard.result.failure !== undefined || heard.result.json(heard.start, 1).length > 0)
			return [];
		const order = orderOf(facts, transaction.entry.tag);
		const isNamed = order !== null && /[?&]upo=/.test(url);
		const isThere = facts.emitted.some(
			(each) =>
				each.ref === transaction.ref &&
				(each.state === state || state === 'pending') &&
				(!isNamed || (each.order !== null && folded(each.order) === order)),
		);
		const isUnread = state === 'success' && !knowsSuccess(facts.plan);
		if (isThere || isUnread || state === 'pending') return [];
		const what = `${transaction.ref} (${transaction.entry.tag}): ${state} was acknowledged and never came out${isNamed ? ` for ${order}` : ''}`;
		return [{ invariant: 'an acknowledged callback is not lost', what }];
	});
}

/**
 * Judged when a stranger is answered who has called an address that nobody was given. A service may cut an address:
 * to an execution that waits at it, that is a reason to ask.
 */
export function judgeForged(url: string, how: MarkTrick, status: number): Broken[] {
	const isAReason = how === 'cut' && url.includes('/webhook-waiting/');
	if (isAReason || status < 200 || status > 299) return [];
	return [{ invariant: 'a forged mark is refused', what: `${url} is answered with ${status}` }];
}

const isAsked = (asked: unknown, amount: number): boolean =>
	typeof asked === 'object' && asked !== null && 'amount' in asked && asked.amount === amount;
