import type { PlannedEvent } from '../plan/plan.mts';
import { DESK_URL } from '../plan/desk.mts';
import { TRIGGER_URL } from '../plan/files.mts';
import { callbackBody } from '../service/records.mts';
import type { Customers } from './customers.mts';
import type { World } from './world.mts';

type Event<Kind> = Extract<PlannedEvent, { kind: Kind }>;

/** Posts what is not true to every address, and what is true to the wrong one. */
export class Stranger {
	constructor(
		private readonly world: World,
		private readonly customers: Customers,
	) {}

	/** Knows neither the token nor a code nor n8n's signature. */
	forge({ what, tag, at }: Event<'forge'>): void {
		const { ledger, story, webhooks, executions } = this.world;
		const entry = ledger.of(tag).at(-1);
		const ref = entry?.transactions.at(-1)?.ref ?? entry?.reference ?? 'T9999';
		const body = {
			paid: { ref, status: 'success', amount: String(entry?.amount ?? 1), currency: 'KES' },
			reference: { ref },
			nothing: { hello: 'world' },
		}[what];
		const url = { trigger: TRIGGER_URL, desk: DESK_URL, resume: resumeUrl(executions.at(-1)?.id) }[
			at
		];
		story.say(`A stranger posts ${JSON.stringify(body)} to the ${at} address.`);
		void webhooks.call({ url, body: JSON.stringify(body) });
	}

	/** The service calls the address of one payment about another. */
	misdirect({ tag, to }: Event<'misdirect'>): void {
		const { ledger, story, plan } = this.world;
		const transaction = ledger.of(tag).at(-1)?.transactions.at(-1);
		const url = ledger.of(to).at(-1)?.callbackUrl;
		if (transaction === undefined || !url || tag === to) return;
		story.say(`The address of ${to} is called about ${transaction.ref}, which is that of ${tag}.`);
		void this.customers.post(url, JSON.stringify(callbackBody(transaction, plan.switches)));
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

const resumeUrl = (id = '1'): string =>
	`https://n8n.example/webhook-waiting/${id}/unified-payments?signature=made-up`;
