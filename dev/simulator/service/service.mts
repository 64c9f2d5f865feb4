import type { Clock } from '../engine/clock.mts';
import type { Exchange, WireReply, WireRequest } from '../engine/wire.mts';
import { Random } from '../random.mts';
import { playOf, type EndpointName, type Fault } from './faults.mts';
import { Ledger, tagIn, type Entry, type Transaction } from './ledger.mts';
import { keptUrl, listed, recordOf } from './records.mts';
import type { Switches } from './switches.mts';

/** A request that was made of the service, for the oracle. */
export interface Asked {
	at: number;
	endpoint: EndpointName;
	nth: number;
	execution: string;
	fault: Fault | undefined;
	/** Of a create, the payment that it is for. */
	tag: string;
	/** Of a list or a status: the payments that the reply named so that they can be recognised. */
	shown: string[];
	/** Whether the reply came back as it was. */
	isWhole: boolean;
}

interface Listener {
	/** Just before a create is taken. */
	onTaken(entry: Entry): void;
	onAsked(asked: Asked): void;
}

const CREATES = /\/(?:payment-link-api\/create|service-unified-collections)$/;

const endpointOf = (url: string): EndpointName => {
	if (CREATES.test(url)) return 'create';
	if (url.endsWith('/list')) return 'list';
	return url.endsWith('/get-token') ? 'token' : 'status';
};

const ok = (message: string, data: unknown): WireReply => ({
	kind: 'reply',
	status: 200,
	body: JSON.stringify({ success: true, message, data }),
});
const refused = (message: string): WireReply => ({
	kind: 'reply',
	status: 200,
	body: JSON.stringify({ success: false, message }),
});

/** Plays the service: what it takes goes into its ledger, what it says is up to its switches and faults. */
export class Service {
	readonly ledger = new Ledger();
	/** Everything that must never be seen anywhere else. */
	readonly secretsSeen = new Set<string>();
	private readonly counts = new Map<EndpointName, number>();
	private references = 0;

	constructor(
		private readonly clock: Clock,
		private readonly seed: number,
		readonly switches: Switches,
		private readonly faults: readonly Fault[],
		private readonly listener: Listener,
	) {}

	receive(request: WireRequest): Exchange {
		const endpoint = endpointOf(request.url);
		const nth = (this.counts.get(endpoint) ?? 0) + 1;
		this.counts.set(endpoint, nth);
		const fault = this.faults.find((each) => each.endpoint === endpoint && each.nth === nth);
		const play = fault && playOf(fault.kind);
		const way = new Random(this.seed, `way ${endpoint} ${nth}`);
		const envelope = (request.body === '' ? {} : JSON.parse(request.body)) as {
			signature?: string;
			params?: Record<string, unknown>;
		};
		const params = envelope.params ?? {};
		if (envelope.signature !== undefined) this.secretsSeen.add(envelope.signature);
		const asked: Asked = {
			at: this.clock.now(),
			endpoint,
			nth,
			execution: request.execution,
			fault,
			tag: endpoint === 'create' ? tagIn(params) : '',
			shown: [],
			isWhole: play === undefined || fault?.kind === 'slow' || fault?.kind === 'echo',
		};
		this.listener.onAsked(asked);
		return {
			there: way.whole(5, 120),
			back: way.whole(5, 200) + (play?.slow ?? 0),
			connects: play?.connects ?? true,
			answer: () => {
				const real =
					play?.processes === false
						? refused('Not done')
						: this.answer(endpoint, params, request, asked);
				return play === undefined
					? real
					: play.reply(real, { signature: envelope.signature ?? '' });
			},
		};
	}

	/** A customer opens what was sent, and pays, or fails to. */
	pay(entry: Entry, amount: number, state: 'success' | 'failed'): Transaction {
		const open = entry.transactions.at(-1);
		const isSame = this.switches.tries === 'sameReference' || entry.kind === 'collection';
		const at = this.clock.now();
		if (open !== undefined && isSame) {
			open.amount = amount;
			open.history.push({ at, state });
			return open;
		}
		const ref = isSame ? entry.reference : this.nextReference('T');
		const transaction: Transaction = { ref, entry, amount, history: [{ at, state }] };
		entry.transactions.push(transaction);
		return transaction;
	}

	private answer(
		endpoint: EndpointName,
		params: Record<string, unknown>,
		request: WireRequest,
		asked: Asked,
	): WireReply {
		switch (endpoint) {
			case 'create':
				return this.create(params, request);
			case 'list':
				return this.list(asked);
			case 'status':
				return this.status(params, asked);
			case 'token':
				return this.token();
		}
	}

	private create(params: Record<string, unknown>, { url, execution }: WireRequest): WireReply {
		const kind = url.endsWith('collections') ? 'collection' : 'link';
		const reference = this.nextReference(kind === 'link' ? 'L' : 'C');
		const link = kind === 'link' ? `https://pay.service.example/${reference}` : null;
		const entry: Entry = {
			kind,
			reference,
			link,
			params,
			tag: tagIn(params),
			amount: Number(params.amount),
			currency: String(params.currency),
			callbackUrl: keptUrl(params.callback_url, this.switches),
			at: this.clock.now(),
			execution,
			transactions: [],
		};
		if (kind === 'collection') {
			entry.transactions.push({
				ref: reference,
				entry,
				amount: entry.amount,
				history: [{ at: entry.at, state: 'pending' }],
			});
		}
		this.listener.onTaken(entry);
		this.ledger.add(entry);
		return ok(
			'Created',
			this.switches.replies === 'rich' ? { reference, ...(link && { link }) } : {},
		);
	}

	private list(asked: Asked): WireReply {
		const until = this.clock.now() - this.switches.listLag * 1000;
		const links = this.ledger.entries.filter(({ kind, at }) => kind === 'link' && at <= until);
		if (this.switches.listEntries !== 'fields' && this.switches.callbackUrls === 'whole') {
			asked.shown.push(
				...links.filter(({ callbackUrl }) => callbackUrl !== null).map(({ tag }) => tag),
			);
		}
		return ok('Links', links.map((entry) => listed(entry, this.switches)).reverse());
	}

	private status({ id }: Record<string, unknown>, asked: Asked): WireReply {
		const { statusBy } = this.switches;
		const named = (each: Transaction) =>
			each.ref === id ||
			(statusBy === 'ownReference' && each.entry.params.third_party_reference_1 === id);
		const transaction = this.ledger.transactions.filter(named).at(-1);
		const record = transaction && recordOf(transaction, this.switches, this.clock.now());
		if (!transaction || !record) return refused('Transaction was not created!');
		asked.shown.push(transaction.entry.tag);
		return ok('Found', record);
	}

	private token(): WireReply {
		const token = `7|bearer-${this.nextReference('B')}-canary`;
		this.secretsSeen.add(token);
		return ok('Verified', { token });
	}

	private nextReference(letter: string): string {
		return `${letter}${1000 + ++this.references}`;
	}
}
