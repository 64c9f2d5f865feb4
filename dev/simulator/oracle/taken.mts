import { stateOf, type Entry } from '../service/ledger.mts';
import type { SheetRow } from '../plan/plan.mts';
import { expectedRows, isRowByRow } from '../plan/graphs.mts';
import { cellsOf } from '../plan/workflow.mts';
import type { Asked } from '../service/service.mts';
import { judgeTry } from './files.mts';
import { paymentIn, type Broken, type Facts, type Run } from './facts.mts';

/** Judged when the service is asked to create something: guards hold whatever becomes of it. */
export function judgeAsked({ runs }: Facts, { endpoint, execution, tag }: Asked): Broken[] {
	const guard = runs.get(execution)?.flow.guard ?? null;
	if (endpoint !== 'create' || guard === null) return [];
	const isOff = guard.value === null ? 'cannot be read' : 'is on';
	if (guard.value === null || guard.option === 'dryRun') {
		return [
			{ invariant: 'guards hold', what: `${tag} was sent although ${guard.option} ${isOff}` },
		];
	}
	return [];
}

/** Judged when the service has decided: it is asked only for what it documents, and signed as it checks. */
export function judgeAnswered(facts: Facts, asked: Asked): Broken[] {
	const { endpoint, execution, refusedBecause, tag } = asked;
	const started = facts.executions.find(({ id }) => id === execution)?.startedAt ?? 0;
	// An execution keeps the key that it began with.
	const isOldKey = facts.rotations.some((at) => at >= started);
	if (refusedBecause === null || isOldKey) return [];
	const what = `${endpoint} ${tag}: ${refusedBecause}`;
	return [{ invariant: 'the service accepts how it is asked', what }];
}

/** Judged when the service takes something. */
export function judgeTaken(facts: Facts, entry: Entry): Broken[] {
	return [
		...judgeFilter(facts, entry),
		...judgeTry(facts, entry),
		...judgeLimits(facts, entry),
		...judgeApproval(facts, entry),
		...judgeTwice(facts, entry),
	];
}

/** What a filter holds back is not sent. */
function judgeFilter({ runs }: Facts, { execution, tag }: Entry): Broken[] {
	const flow = runs.get(execution)?.flow;
	if (flow === undefined || expectedRows(flow).some((row) => row.tag === tag)) return [];
	return [{ invariant: 'what is filtered out is not sent', what: `${tag} was sent` }];
}

/** What was approved is sent as it was then, or not at all. */
function judgeApproval({ runs }: Facts, { execution, tag }: Entry): Broken[] {
	const { approved, flow } = runs.get(execution) ?? {};
	if (approved === undefined || flow === undefined) return [];
	const cells = (rows: readonly SheetRow[]) =>
		JSON.stringify(rows.filter((row) => row.tag === tag).map((row) => cellsOf(row, flow)));
	return cells(flow.rows) === cells(approved.rows)
		? []
		: [{ invariant: 'an approval holds', what: `${tag} was approved with other cells` }];
}

function judgeLimits({ runs, ledger }: Facts, entry: Entry): Broken[] {
	const flow = runs.get(entry.execution)?.flow;
	const guard = flow?.guard ?? null;
	if (flow === undefined || guard === null || typeof guard.value !== 'number') return [];
	// Each row is a run of the node, with a total of its own.
	if (guard.option === 'maxTotal' && isRowByRow(flow)) return [];
	const own = [...ledger.entries.filter(({ execution }) => execution === entry.execution), entry];
	const amount =
		guard.option === 'maxAmount' ? entry.amount : own.reduce((sum, each) => sum + each.amount, 0);
	if (amount <= guard.value) return [];
	const what = `${entry.tag} brings it to ${amount}, and ${guard.option} is ${guard.value}`;
	return [{ invariant: 'guards hold', what }];
}

/** No payment is taken twice from one workflow, unless somebody said so. */
function judgeTwice(facts: Facts, entry: Entry): Broken[] {
	const { ledger, runs } = facts;
	const run = runs.get(entry.execution);
	if (run === undefined || run.onDuplicate === 'sendAnyway') return [];
	const name = paymentIn(run, entry.tag)?.name;
	const before = ledger.entries.filter((each) => {
		const other = runs.get(each.execution);
		// A run with Send Anyway leaves no record, as docs/operations.md says.
		if (other?.flow.id !== run.flow.id || other.onDuplicate === 'sendAnyway') return false;
		if (isOver(facts, run.flow.id, each)) return false;
		return each.tag === entry.tag || paymentIn(other, each.tag)?.name === name;
	});
	const [first] = before;
	if (first === undefined) return [];
	const broken = (why: string): Broken[] => [
		{
			invariant: 'nothing is taken twice',
			what: `${entry.tag} was taken as ${first.reference} and now again, ${why}`,
		},
	];
	if (run.onDuplicate !== 'sendUnanswered') return broken('and nobody asked for that');
	if (first.execution === entry.execution) return broken('in one run');
	const told = before.flatMap(({ tag }) => facts.told.get(`${run.flow.id} ${tag}`) ?? []);
	if (told.includes('accepted'))
		return isOfEditedRow(facts, run, entry, before) ? [] : broken('although it was answered');
	return judgeLookedUp(facts, entry, before, broken);
}

/** After a kill, what an edited row asks for may count as unanswered: see the decision about claims. */
function isOfEditedRow({ runs, kills }: Facts, run: Run, entry: Entry, before: readonly Entry[]) {
	const values = paymentIn(run, entry.tag)?.values;
	const others = before.map(({ execution, tag }) => paymentIn(runs.get(execution)!, tag)?.values);
	return kills > 0 && !others.includes(values);
}

/** A collection that no answer was on record for, and that the service has shown to have failed, may be asked for again. */
function isOver({ told, asked, runs }: Facts, flow: string, entry: Entry): boolean {
	const { kind, tag, transactions } = entry;
	const hasFailed = transactions.every((each) => stateOf(each) === 'failed');
	if (kind !== 'collection' || !hasFailed) return false;
	if ((told.get(`${flow} ${tag}`) ?? []).includes('accepted')) return false;
	return asked.some(
		(each) =>
			each.endpoint === 'status' &&
			each.isWhole &&
			each.shown.includes(tag) &&
			runs.get(each.execution)?.flow.id === flow,
	);
}

/** Send Unanswered: only what the service was asked about and did not show. */
function judgeLookedUp(
	{ asked }: Facts,
	{ kind, execution, params }: Entry,
	before: readonly Entry[],
	broken: (why: string) => Broken[],
): Broken[] {
	const order = params.third_party_reference_1;
	const isNameless = kind === 'link' ? params.callback_url === undefined : order === undefined;
	if (isNameless) return broken('although there is nothing to ask by');
	const endpoint = kind === 'link' ? 'list' : 'status';
	const looks = asked.filter((each) => each.execution === execution && each.endpoint === endpoint);
	const answered = looks.filter(({ isWhole }) => isWhole);
	if (answered.length === 0) return broken('although the service could not be asked');
	if (answered.some(({ shown }) => before.some(({ tag }) => shown.includes(tag))))
		return broken('although the service had shown it');
	return [];
}
