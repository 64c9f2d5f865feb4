import type { Execution } from '../engine/n8n.mts';
import { tellsAll } from '../plan/files.mts';
import { expectedRows, isRowByRow, tellsAcceptedOnly } from '../plan/graphs.mts';
import { isAboutLinks, isWaiting } from '../plan/workflow.mts';
import { playOf } from '../service/faults.mts';
import { REDIRECT, stateOf, tagIn, type Entry, type Transaction } from '../service/ledger.mts';
import {
	knowsSuccess,
	orderIn,
	paymentIn,
	takenFor,
	type Broken,
	type Facts,
	type Run,
} from './facts.mts';

type Json = Record<string, unknown>;

/** An item at the end of a workflow, and the row that n8n takes it for. */
export interface Told {
	tag: string;
	outcome: string;
	item: Json;
}

const isRecord = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRefused = ({ outcome }: Told): boolean =>
	outcome === 'rejected' || outcome === 'not_sent';

/** What a run that has ended says of its rows. */
export function toldBy({ result }: Execution): Told[] {
	if (result === undefined) return [];
	return ['Done', 'Failed'].flatMap((name) =>
		result.json(name).map((json) => {
			const whole = isRecord(json.item) ? json.item : {};
			const error = isRecord(whole.error) ? whole.error : null;
			// Beside an error stands the row as it came, perhaps with what was written into it.
			const item = error === null ? whole : { error };
			const row = String(json.row ?? '');
			return {
				tag: row.startsWith(REDIRECT) ? row.slice(REDIRECT.length) : row,
				outcome: String((error ?? whole).outcome ?? ''),
				item,
			};
		}),
	);
}

/** Judged when a run has ended: what it says of each row against what the service has. */
export function judgeItems(facts: Facts, execution: Execution, run: Run): Broken[] {
	const told = toldBy(execution);
	const broken = told.flatMap((each) => judgeItem(facts, execution, run, each, told));
	const { failure } = execution.result ?? {};
	const { id } = run.flow;
	if (tellsAcceptedOnly(run.flow)) return [...broken, ...judgeFiltered(told)];
	const expected = expectedRows(run.flow).length;
	if (!tellsAll(run.flow)) return broken;
	if (failure === undefined && !execution.isCancelled && told.length !== expected) {
		broken.push({
			invariant: 'every row has an outcome',
			what: `${id} had ${expected} rows and gave ${told.length} items`,
		});
	}
	return broken;
}

/** Behind a filter for what was accepted there is nothing else. */
const judgeFiltered = (told: readonly Told[]): Broken[] =>
	told
		.filter(({ outcome }) => outcome !== 'accepted')
		.map(({ tag, outcome }) => ({
			invariant: 'a filter by outcome holds',
			what: `${tag} is ${outcome}`,
		}));

function judgeItem(
	facts: Facts,
	execution: Execution,
	run: Run,
	told: Told,
	all: readonly Told[],
): Broken[] {
	const { tag, outcome, item } = told;
	const own = takenFor(facts, run, tag);
	const broken: Broken[] = [];
	const breaks = (invariant: string, what: string) =>
		broken.push({ invariant, what: `${tag}: ${what}` });

	const request = isRecord(item.request) ? item.request : null;
	if (request !== null && tagIn(request) !== tag) {
		breaks('an item is paired to its row', `its item is about ${tagIn(request)}`);
	}
	// With Send Anyway, a row that is there twice may be taken once.
	const takenNow = own.filter((entry) => entry.tag === tag && entry.execution === execution.id);
	const toldTaken = all.filter((each) => each.tag === tag && !isRefused(each));
	const known = [...own, ...sameByOrder(facts, run, tag)];
	if (outcome === 'accepted' && known.length === 0) {
		breaks('accepted is what the service has', 'told as accepted, and the service has nothing');
	}
	const hasFailed = known.some(
		({ kind, transactions }) => kind === 'collection' && transactions.some(isFailed),
	);
	if (isRefused(told) && takenNow.length > toldTaken.length && !hasFailed) {
		breaks('nothing taken is told as refused', `told as ${outcome}, and the service took it`);
	}
	if (outcome === 'rejected' && !hasFailed && !isNamedRefusal(facts, execution, tag)) {
		breaks('only a refusal known by name is final', 'told as rejected');
	}
	const isAnothers = known.length > own.length;
	if (outcome === 'duplicate' && !isAnothers && !wasSentBefore(facts, execution, run, tag)) {
		breaks('a duplicate was sent before', 'told as a duplicate, and nobody sent it as it is');
	}
	if (typeof item.link === 'string' && !own.some(({ link }) => link === item.link)) {
		breaks('a link is that of its row', `it was given ${item.link}`);
	}
	const names = known.flatMap(({ reference, transactions }) => [
		reference,
		...transactions.map(({ ref }) => ref),
	]);
	if (typeof item.reference === 'string' && !names.includes(item.reference)) {
		breaks('a reference is that of its row', `it was given ${item.reference}`);
	}
	if (outcome === '' && !('state' in item) && !('error' in item)) {
		breaks('every row has an outcome', `its item says ${JSON.stringify(item).slice(0, 200)}`);
	}
	if (isWaiting(run.flow)) {
		broken.push(...judgeState(facts, execution, known, told));
		// What an earlier execution sent is told as it stands: its callbacks come there.
		const isOwn = own.some((entry) => entry.execution === execution.id);
		if (isAboutLinks(run.flow) && isOwn && item.state === 'failed')
			breaks('a failed try does not end the wait for a link', 'told as failed');
	}
	return broken;
}

const isFailed = (transaction: Transaction): boolean => stateOf(transaction) === 'failed';

/** Whether the service said to it what the specification or the account's owner lists as final. */
function isNamedRefusal({ asked, plan }: Facts, { id }: Execution, tag: string): boolean {
	return asked.some((each) => {
		if (each.endpoint !== 'create' || each.execution !== id || each.tag !== tag) return false;
		const isNamed = each.fault && playOf(each.fault.kind).isNamed;
		return (
			isNamed === 'always' ||
			(isNamed === 'whenTaught' && plan.isTaught) ||
			each.refusedBecause !== null
		);
	});
}

/**
 * Of a collection that was sent before: where no record carries a mark, another workflow's of the same order, payer
 * and amount is the same to everybody.
 */
function sameByOrder({ ledger, runs, plan }: Facts, run: Run, tag: string): Entry[] {
	const { statusBy, callbackUrls, records } = plan.switches;
	const isUnmarked = callbackUrls !== 'whole' || records === 'noCallbackUrl';
	if (statusBy !== 'ownReference') return [];
	const own = paymentIn(run, tag);
	const order = orderIn(run, tag);
	return ledger.entries.filter((entry) => {
		const other = runs.get(entry.execution);
		if (other === undefined || entry.kind !== 'collection' || order === null) return false;
		const isSame = paymentIn(other, entry.tag)?.values === own?.values;
		return (
			isSame && orderIn(other, entry.tag) === order && (isUnmarked || entry.callbackUrl === null)
		);
	});
}

/** By an earlier run of the workflow, or by another row of this one, as it is now. */
function wasSentBefore(facts: Facts, execution: Execution, run: Run, tag: string): boolean {
	if (run.flow.rows.filter((row) => row.tag === tag).length > 1) return true;
	const own = paymentIn(run, tag);
	return facts.asked.some((asked) => {
		const other = facts.runs.get(asked.execution);
		if (asked.endpoint !== 'create' || other?.flow.id !== run.flow.id) return false;
		// Each row may be a run of the node.
		const isEarlier = asked.execution !== execution.id || isRowByRow(run.flow);
		const payment = isEarlier ? paymentIn(other, asked.tag) : null;
		return payment?.name === own?.name && payment?.values === own?.values;
	});
}

/** What a run that waited says about how a payment ended. */
function judgeState(
	facts: Facts,
	execution: Execution,
	own: readonly Entry[],
	{ tag, item }: Told,
): Broken[] {
	const { state, paidInFull } = item;
	const transactions = own.flatMap((entry) => entry.transactions);
	const reached = (wanted: string) =>
		transactions.filter(({ history }) => history.some((each) => each.state === wanted));
	const broken: Broken[] = [];
	const breaks = (invariant: string, what: string) =>
		broken.push({ invariant, what: `${tag}: ${what}` });
	if ((state === 'success' || state === 'failed') && reached(state).length === 0) {
		breaks(
			'a state is that of its payment',
			`told as ${state}, and the service knows nothing of that`,
		);
	}
	const paid = reached('success');
	const isFull = paid.some(({ amount, entry }) => amount >= entry.amount);
	if (paidInFull === true && !isFull)
		breaks('paid in full is paid in full', 'told as paid in full, and it is not');
	// The first success ends the wait for a payment, also where it was a part.
	const successes = paid.flatMap(({ history }) => history.filter((each) => each.state === state));
	if (state === 'success' && isFull && successes.length === 1 && paidInFull !== true) {
		breaks('what is paid in full is told so', `paidInFull is ${String(paidInFull)}`);
	}
	if (state === 'timedOut' && isHeardInVain(facts, execution, own)) {
		breaks(
			'a payment that came in time comes out',
			'told as timed out, and it was paid and called back in time',
		);
	}
	return broken;
}

/**
 * With a service that says everything and nothing that goes wrong, a payment in time is no time-out. Only if
 * another payment of the execution is still open: at the limit n8n passes on what was stored before.
 */
function isHeardInVain(facts: Facts, execution: Execution, own: readonly Entry[]): boolean {
	const { plan, kills, ledger } = facts;
	const { callbackUrls, statusLag, records } = plan.switches;
	if (callbackUrls !== 'whole' || records !== 'callbackUrl' || statusLag > 2) return false;
	if (!knowsSuccess(plan)) return false;
	if (kills > 0 || plan.faults.length > 0) return false;
	const awaited = ledger.entries.filter((entry) => entry.execution === execution.id);
	return (
		awaited.some((entry) => own.includes(entry) && isPaid(entry)) &&
		awaited.every((entry) => isHeardInTime(facts, execution, entry))
	);
}

const isPaid = ({ transactions }: Entry): boolean =>
	transactions.some((each) => stateOf(each) === 'success' && each.history.length === 1);

const isHeardInTime = ({ deliveries }: Facts, { waitTill }: Execution, entry: Entry): boolean =>
	deliveries.some(
		({ transaction, state, answers }) =>
			transaction.entry === entry &&
			// A failed try leaves a link open.
			(state === 'success' || (state === 'failed' && entry.kind === 'collection')) &&
			answers.some(({ at, status }) => at < waitTill - 60_000 && status !== 0),
	);
