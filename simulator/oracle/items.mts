import type { Execution } from '../engine/n8n.mts';
import { isWaiting } from '../plan/workflow.mts';
import { REDIRECT, stateOf, tagIn, type Entry } from '../service/ledger.mts';
import type { Broken, Facts, Run } from './facts.mts';

type Json = Record<string, unknown>;

/** An item at the end of a workflow, and the row that n8n takes it for. */
export interface Told {
	tag: string;
	outcome: string;
	item: Json;
}

const isRecord = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a run that has ended says of its rows. */
export function toldBy({ result }: Execution): Told[] {
	if (result === undefined) return [];
	return ['Done', 'Failed'].flatMap((name) =>
		result.json(name).map((json) => {
			const item = isRecord(json.item) ? json.item : {};
			const error = isRecord(item.error) ? item.error : {};
			const row = String(json.row ?? '');
			return {
				tag: row.startsWith(REDIRECT) ? row.slice(REDIRECT.length) : row,
				outcome: String(item.outcome ?? error.outcome ?? ''),
				item,
			};
		}),
	);
}

/** Judged when a run has ended: what it says of each row against what the service has. */
export function judgeItems(facts: Facts, execution: Execution, run: Run): Broken[] {
	const told = toldBy(execution);
	const broken = told.flatMap((each) => judgeItem(facts, execution, run, each));
	const { failure } = execution.result ?? {};
	if (failure === undefined && told.length !== run.flow.rows.length) {
		broken.push({
			invariant: 'every row has an outcome',
			what: `${run.flow.id} had ${run.flow.rows.length} rows and gave ${told.length} items`,
		});
	}
	return broken;
}

function judgeItem(facts: Facts, execution: Execution, run: Run, told: Told): Broken[] {
	const { tag, outcome, item } = told;
	const all = facts.ledger.of(tag);
	const isOfFlow = (entry: Entry) => facts.runs.get(entry.execution)?.flow.id === run.flow.id;
	const own = all.filter(isOfFlow);
	const broken: Broken[] = [];
	const breaks = (invariant: string, what: string) =>
		broken.push({ invariant, what: `${tag}: ${what}` });

	const request = isRecord(item.request) ? item.request : null;
	if (request !== null && tagIn(request) !== tag) {
		breaks('an item is paired to its row', `its item is about ${tagIn(request)}`);
	}
	const isTakenNow = own.some((entry) => entry.execution === execution.id);
	if (outcome === 'accepted' && own.length === 0) {
		breaks('accepted is what the service has', 'told as accepted, and the service has nothing');
	}
	if ((outcome === 'rejected' || outcome === 'not_sent') && isTakenNow) {
		breaks('nothing taken is told as refused', `told as ${outcome}, and the service took it`);
	}
	if (outcome === 'duplicate' && !wasTriedBefore(facts, execution, run, tag)) {
		breaks('a duplicate was sent before', 'told as a duplicate, and nobody ever sent it');
	}
	if (typeof item.link === 'string' && !own.some(({ link }) => link === item.link)) {
		breaks('a link is that of its row', `it was given ${item.link}`);
	}
	const names = own.flatMap(({ reference, transactions }) => [
		reference,
		...transactions.map(({ ref }) => ref),
	]);
	if (typeof item.reference === 'string' && !names.includes(item.reference)) {
		breaks('a reference is that of its row', `it was given ${item.reference}`);
	}
	if (outcome === '' && !('state' in item) && !('error' in item)) {
		breaks('every row has an outcome', `its item says ${JSON.stringify(item).slice(0, 200)}`);
	}
	if (isWaiting(run.flow)) broken.push(...judgeState(facts, execution, own, told));
	return broken;
}

/** Sent by an earlier run of the workflow, or by another row of this one. */
const wasTriedBefore = (facts: Facts, execution: Execution, run: Run, tag: string): boolean =>
	run.flow.rows.filter((row) => row.tag === tag).length > 1 ||
	facts.asked.some(
		(asked) =>
			asked.tag === tag &&
			asked.execution !== execution.id &&
			facts.runs.get(asked.execution)?.flow.id === run.flow.id,
	);

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
	if (state === 'success' && isFull && paid.length === 1 && paidInFull !== true) {
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

/** With a service that says everything and nothing that goes wrong, a payment in time is no time-out. */
function isHeardInVain(
	{ plan, kills, deliveries }: Facts,
	{ id, waitTill }: Execution,
	own: readonly Entry[],
): boolean {
	const { callbackUrls, statusLag, records } = plan.switches;
	if (callbackUrls !== 'whole' || records !== 'callbackUrl' || statusLag > 2) return false;
	if (kills > 0 || plan.faults.length > 0) return false;
	return deliveries.some(
		({ transaction, answers }) =>
			own.includes(transaction.entry) &&
			transaction.entry.execution === id &&
			stateOf(transaction) === 'success' &&
			transaction.history.length === 1 &&
			answers.some(({ at, status }) => at < waitTill - 60_000 && status !== 0),
	);
}
