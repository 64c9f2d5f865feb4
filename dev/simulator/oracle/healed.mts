import type { Execution } from '../engine/n8n.mts';
import { isWaiting } from '../plan/workflow.mts';
import { isWhole, type Entry } from '../service/ledger.mts';
import { orderIn, paymentIn, takenFor, type Broken, type Facts, type Run } from './facts.mts';
import { isRefused, toldBy } from './items.mts';

/**
 * Judged when a sheet has been run once more, and nothing went wrong any longer: what the service shows is known,
 * and what was sent before is not refused.
 */
export function judgeHealed(facts: Facts, execution: Execution, run: Run): Broken[] {
	const { flow } = run;
	const isStopped = execution.result?.failure !== undefined || execution.isCancelled;
	if (!run.isLast || isStopped || flow.guard !== null || flow.onError === 'stopWorkflow') return [];
	return toldBy(execution).flatMap((told): Broken[] => {
		const { tag, outcome, item } = told;
		const [only, ...more] = takenFor(facts, run, tag);
		if (only === undefined || more.length > 0 || !isAsSent(facts, run, tag)) return [];
		// With Send Anyway nothing is remembered, and what is sent has a mark of its own.
		if (facts.runs.get(only.execution)?.onDuplicate === 'sendAnyway') return [];
		if (isRefused(told))
			return hasFailed(only)
				? []
				: [{ invariant: 'what was taken stays known', what: `${tag} is ${outcome}` }];
		if (isWaiting(flow) || !isShown(facts, run, tag, only)) return [];
		if (outcome === 'unknown')
			return [{ invariant: 'what the service shows is known', what: `${tag} is unknown` }];
		const lacksLink = only.kind === 'link' && typeof item.link !== 'string';
		return lacksLink
			? [{ invariant: 'what the service shows is known', what: `${tag} has no link` }]
			: [];
	});
}

const hasFailed = ({ kind, transactions }: Entry): boolean =>
	kind === 'collection' &&
	transactions.some(({ history }) => history.some(({ state }) => state === 'failed'));

/** Whether the row is alone with its name, and was never sent under it with other values. */
function isAsSent({ asked, runs }: Facts, run: Run, tag: string): boolean {
	const own = paymentIn(run, tag);
	const named = run.flow.rows.filter((row) => paymentIn(run, row.tag)?.name === own?.name);
	if (named.length !== 1) return false;
	return asked.every((each) => {
		const other = runs.get(each.execution);
		const payment = other?.flow.id === run.flow.id ? paymentIn(other, each.tag) : null;
		return payment === null || payment.name !== own?.name || payment.values === own.values;
	});
}

/** Whether the service shows it in a way that only we can have written. */
function isShown({ plan, ledger, rotations }: Facts, run: Run, tag: string, entry: Entry): boolean {
	const { listEntries, statusBy, records } = plan.switches;
	// Marks count that were made with this key or with the one before.
	if (rotations.length > 1) return false;
	if (entry.kind === 'link') return isWhole(entry) && listEntries !== 'fields';
	const order = entry.params.third_party_reference_1;
	const same = ledger.entries.filter(({ params }) => params.third_party_reference_1 === order);
	const isAsked = order !== undefined && String(order) === rawOrderOf(run, tag);
	const isMarked = records === 'callbackUrl' && entry.callbackUrl !== null;
	// Without a mark, a record of a part payment states another amount than was asked for.
	const isAsAsked = entry.transactions.every(({ amount }) => amount === entry.amount);
	// Where keys tell several payments of an order apart, the order alone names none of them.
	const isNamed = isMarked || (!run.flow.isKeyed && isAsAsked);
	return (
		statusBy === 'ownReference' &&
		isNamed &&
		isAsked &&
		orderIn(run, tag) !== null &&
		same.length === 1 &&
		(isWhole(entry) || entry.callbackUrl === null)
	);
}

const rawOrderOf = ({ flow }: Run, tag: string): string =>
	String(flow.rows.find((row) => row.tag === tag)?.order ?? '');
