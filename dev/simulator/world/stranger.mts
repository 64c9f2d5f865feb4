import type { MarkTrick, PlannedEvent } from '../plan/plan.mts';
import { TRIGGER_URL } from '../plan/files.mts';
import { judgeForged } from '../oracle/callbacks.mts';
import { callbackBody } from '../service/habits.mts';
import { recordOf, type Customers } from './customers.mts';
import type { World } from './world.mts';

type Event<Kind> = Extract<PlannedEvent, { kind: Kind }>;

/** Posts what is not true to every address, and what is true to the wrong one. */
export class Stranger {
	constructor(
		private readonly world: World,
		private readonly customers: Customers,
	) {}

	/** Knows neither a mark nor n8n's signature. */
	forge({ what, tag, at }: Event<'forge'>): void {
		const { ledger, story, webhooks, executions } = this.world;
		const entry = ledger.of(tag).at(-1);
		const ref = entry?.transactions.at(-1)?.ref ?? entry?.reference ?? 'T9999';
		const body = {
			paid: { ref, status: 'success', amount: String(entry?.amount ?? 1), currency: 'KES' },
			reference: { ref },
			nothing: { hello: 'world' },
		}[what];
		const url = at === 'trigger' ? TRIGGER_URL : resumeUrl(executions.at(-1)?.id);
		story.say(`A stranger posts ${JSON.stringify(body)} to the ${at} address.`);
		void webhooks.call({ url, body: JSON.stringify(body) });
	}

	/** Has seen the address of an order, and would like his own payment to count for it. */
	async forgeMark({ how, tag, of }: Event<'forgeMark'>): Promise<void> {
		const { ledger, story, webhooks } = this.world;
		const transaction = ledger.of(tag).at(-1)?.transactions.at(-1);
		const own = ledger.of(tag).at(-1)?.callbackUrl ?? null;
		const seen = ledger.of(of).at(-1)?.callbackUrl ?? null;
		const url = seen === null ? null : forged(how, seen, own);
		const isGenuine = ledger.entries.some(({ callbackUrl }) => callbackUrl === url);
		if (transaction === undefined || url === null || isGenuine || tag === of) return;
		const { ref } = transaction;
		story.say(`A stranger names ${ref}, which is that of ${tag}, at ${url} (${how}, of ${of}).`);
		const { status } = await webhooks.call({ url, body: JSON.stringify({ ref }) });
		story.say(`The stranger is answered with ${status}.`);
		this.world.note(judgeForged(url, how, status));
	}

	/** The service calls the address of one payment about another. */
	misdirect({ tag, to }: Event<'misdirect'>): void {
		const { ledger, story, plan } = this.world;
		const transaction = ledger.of(tag).at(-1)?.transactions.at(-1);
		const url = ledger.of(to).at(-1)?.callbackUrl;
		if (transaction === undefined || !url || tag === to) return;
		story.say(`The address of ${to} is called about ${transaction.ref}, which is that of ${tag}.`);
		void this.customers.post(
			url,
			JSON.stringify(callbackBody(recordOf(transaction), plan.switches)),
		);
	}

	/** Somebody who listened sends a callback once more. */
	replay({ nth }: Event<'replay'>): void {
		const { sent } = this.customers;
		const one = sent[nth % Math.max(1, sent.length)];
		if (one === undefined) return;
		this.world.story.say('An earlier callback is sent once more.');
		void this.world.webhooks.call(one);
	}
}

/** An address with a mark that nobody has made; null where there is none to make it of. */
function forged(how: MarkTrick, seen: string, own: string | null): string | null {
	const [, address = '', parameter = '', said = '', code = ''] = MARKED.exec(seen) ?? [];
	if (code === '') return null;
	switch (how) {
		case 'madeUp':
			return `${address}${parameter}=${said}.${'A'.repeat(code.length)}`;
		case 'spliced': {
			const other = MARKED.exec(own ?? '')?.[4];
			return other === undefined ? null : `${address}${parameter}=${said}.${other}`;
		}
		case 'cut':
			return seen.slice(0, -Math.ceil(code.length / 2));
		case 'doubled':
			return `${seen}&${parameter}=${said}.${code}`;
	}
}

/** The mark is the last parameter, and its code what stands behind the last point. */
const MARKED = /^(.*[?&])(\w+)=([^&]*)\.([^.&]+)$/;

const resumeUrl = (id = '1'): string =>
	`https://n8n.example/webhook-waiting/${id}/unified-payments?signature=made-up`;
