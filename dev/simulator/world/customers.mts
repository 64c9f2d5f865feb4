import { createHmac } from 'node:crypto';

import type { DeliveryKind, PlannedEvent } from '../plan/plan.mts';
import { TRIGGER_URL } from '../plan/files.mts';
import { callbackBody } from '../service/habits.mts';
import { stateOf, type Transaction, type TransactionState } from '../service/ledger.mts';
import type { Delivery } from '../oracle/facts.mts';
import type { World } from './world.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** When a callback is not answered with 2xx. */
const AGAIN = [MINUTE, 10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];
const LATE = 5 * 60 * MINUTE;

/** As it is now, whatever becomes of it until it is sent. */
export const recordOf = ({ history }: Transaction) => {
	const last = history.at(-1);
	if (last === undefined) throw new Error('It has no state yet');
	return last.record;
};

/** Pay what they were sent; the service then calls back. */
export class Customers {
	/** Every callback as it was sent, for those who listen. */
	readonly sent: Array<{ url: string; body: string; headers: Record<string, string> }> = [];
	private callbacks = 0;

	constructor(private readonly world: World) {}

	pay({ tag, share, state, why }: Extract<PlannedEvent, { kind: 'pay' }>): void {
		const { service, story } = this.world;
		const entry = service.ledger.of(tag).at(-1);
		if (entry === undefined) return;
		// A phone is asked once.
		const open = entry.transactions.at(-1);
		if (entry.kind === 'collection' && open !== undefined && stateOf(open) !== 'pending') return;
		const amount = Math.max(1, Math.round(entry.amount * share * 100) / 100);
		const transaction = service.pay(entry, amount, state, why);
		story.say(
			state === 'success'
				? `A customer pays ${amount} of ${entry.amount} ${entry.currency} for ${tag} (${transaction.ref}).`
				: `A customer fails to pay for ${tag} (${transaction.ref}).`,
		);
		this.callBack(transaction, state);
	}

	private callBack(transaction: Transaction, state: TransactionState): void {
		const { plan, clock, deliveries } = this.world;
		const url = transaction.entry.callbackUrl;
		if (url === null) return;
		const nth = ++this.callbacks;
		const kind: DeliveryKind | undefined = plan.deliveries.find((each) => each.nth === nth)?.kind;
		if (kind === 'lost') {
			this.world.reached.note('delivery lost');
			return this.world.story.say(`The callback about ${transaction.ref} is lost.`);
		}
		const delivery: Delivery = { transaction, state, url, answers: [] };
		deliveries.push(delivery);
		if (kind !== undefined) this.world.reached.note(`delivery ${kind}`);
		const record = recordOf(transaction);
		const body = JSON.stringify(callbackBody(record, plan.switches));
		const after = kind === 'late' ? LATE : 2 * SECOND;
		if (kind === 'strangerFirst') this.forgeFirst(transaction.ref);
		clock.at(clock.now() + after, () => void this.attempt(delivery, body, 0));
		if (kind === 'twice')
			clock.at(clock.now() + after + SECOND, () => void this.attempt(delivery, body, 0));
		if (kind === 'oldAgain') {
			const old = JSON.stringify(callbackBody(record, plan.switches, 'asOpened'));
			clock.at(clock.now() + after + 30 * SECOND, () => void this.post(url, old));
		}
	}

	private forgeFirst(ref: string): void {
		this.world.story.say(`A stranger names ${ref} at the bare address.`);
		void this.world.webhooks.call({ url: TRIGGER_URL, body: JSON.stringify({ ref }) });
	}

	private async attempt(delivery: Delivery, body: string, tries: number): Promise<void> {
		const { clock, story } = this.world;
		const { ref } = delivery.transaction;
		const { status, execution } = await this.post(delivery.url, body);
		delivery.answers.push({ at: clock.now(), status, execution });
		story.say(`The callback about ${ref} (${delivery.state}) is answered with ${status}.`);
		const pause = AGAIN[tries];
		if ((status < 200 || status > 299) && pause !== undefined) {
			clock.at(clock.now() + pause, () => void this.attempt(delivery, body, tries + 1));
		}
	}

	async post(url: string, body: string) {
		const headers = {
			'x-signature': createHmac('sha256', this.world.secret).update(body).digest('hex'),
		};
		this.sent.push({ url, body, headers });
		return await this.world.webhooks.call({ url, body, headers });
	}
}
