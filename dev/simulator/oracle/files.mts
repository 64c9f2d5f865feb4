import type { Execution } from '../engine/n8n.mts';
import type { Mail } from '../engine/nodes/mail.mts';
import { tryOf } from '../plan/files.mts';
import { stateOf, type Entry } from '../service/ledger.mts';
import { folded, orderIn, type Broken, type Facts, type Run } from './facts.mts';

const LINK = /https:\/\/pay\.service\.example\/pay\/[\w-]+/g;

/** Judged when an e-mail is sent: a link in it is that of the one who gets it. */
export function judgeMail({ ledger }: Facts, { to, text }: Mail): Broken[] {
	return (text.match(LINK) ?? []).flatMap((link) => {
		const entry = ledger.entries.find((each) => each.link === link);
		if (entry?.params.email === to) return [];
		const what = `${to} is sent ${link}, which is that of ${String(entry?.params.email)}`;
		return [{ invariant: 'an e-mail has the link of its customer', what }];
	});
}

/** Judged when a workflow of `examples/` has ended: what its last nodes do with a payment. */
export function judgeEnds(facts: Facts, { result }: Execution, run: Run): Broken[] {
	const items = (name: string) => result?.json(name) ?? [];
	const shipped = items('Ship the order').flatMap(({ order, reference }): Broken[] => {
		const paid = facts.ledger.transactions.filter(
			({ entry, history, amount }) =>
				isOfOrder(facts, run, entry, order) &&
				amount >= entry.amount &&
				history.some(({ state }) => state === 'success'),
		);
		if (paid.length > 0) return [];
		const what = `${String(order)} is shipped for ${String(reference)}`;
		return [{ invariant: 'what is shipped is paid in full', what }];
	});
	const reminded = items('Remind the customer').flatMap(({ order, link }): Broken[] => {
		if (typeof link !== 'string') return [];
		const entry = facts.ledger.entries.find((each) => each.link === link);
		if (entry !== undefined && isOfOrder(facts, run, entry, order)) return [];
		return [{ invariant: 'a link is that of its row', what: `${String(order)} has ${link}` }];
	});
	const paid = items('Paid').flatMap(({ order, reference }): Broken[] => {
		const { history = [], amount = 0, entry } = facts.ledger.transaction(String(reference)) ?? {};
		const isPaid = history.some(({ state }) => state === 'success');
		if (entry !== undefined && isPaid && amount >= entry.amount) return [];
		return [{ invariant: 'paid in full is paid in full', what: `${String(order)} is not` }];
	});
	return [...shipped, ...reminded, ...paid];
}

/** Judged when the service takes something: nobody is asked again who has paid, or may still pay. */
export function judgeTry({ ledger }: Facts, { tag }: Entry): Broken[] {
	const [, first = '', nth = ''] = /^(.+)-try-(\d)$/.exec(tag) ?? [];
	if (nth === '') return [];
	const before = ledger.of(tryOf(first, Number(nth) - 1)).flatMap((each) => each.transactions);
	if (before.length > 0 && before.every((each) => stateOf(each) === 'failed')) return [];
	return [{ invariant: 'only who failed is asked again', what: `${tag} was sent` }];
}

/** Whether this workflow made it for that order; null is no order. */
function isOfOrder({ runs }: Facts, { flow }: Run, entry: Entry, order: unknown): boolean {
	const other = runs.get(entry.execution);
	if (other?.flow.id !== flow.id) return false;
	const own = orderIn(other, entry.tag);
	return typeof order === 'string' && order !== '' ? own === folded(order) : own === null;
}
