import { ENDPOINTS } from '../../sandbox/api/index.mts';
import type { Answer, Endpoint } from '../../sandbox/api/endpoint.mts';
import type { SignatureRecipe } from '../../sandbox/protocol/signature.mts';
import { resolveOptions } from '../../sandbox/options.mts';
import { createWorld, type World as Sandbox } from '../../sandbox/world.mts';
import type { Clock } from '../engine/clock.mts';
import type { Exchange, WireReply, WireRequest } from '../engine/wire.mts';
import { Random } from '../random.mts';
import { playOf, type EndpointName, type Fault } from './faults.mts';
import { habitual, inNumbers, sandboxSwitches } from './habits.mts';
import { isWhole, Ledger, recordAt, tagIn, type Entry, type Transaction } from './ledger.mts';
import type { Switches } from './switches.mts';

export const BASE_URL = 'https://api.service.example';
const PAY_URL = 'https://pay.service.example';
const SHOP = { id: 'shop', title: 'Amina Shop', clientId: 'client-1' };

/** How this service signs, where it is not as the specification's sample. */
export const OTHER_RECIPE: Pick<SignatureRecipe, 'template' | 'algorithm' | 'encoding'> = {
	template: '{timestamp}{client_id}{salt}{sender}{params}',
	algorithm: 'sha512',
	encoding: 'base64',
};

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
	/** Why the service would not take it, although nothing went wrong on the way. */
	refusedBecause: string | null;
}

interface Listener {
	/** Just before a create is taken. */
	onTaken(entry: Entry): void;
	onAsked(asked: Asked): void;
	/** Once the service has decided. */
	onAnswered(asked: Asked): void;
}

const NAMES: Readonly<Record<string, EndpointName>> = {
	'paymentLink.create': 'create',
	collection: 'create',
	'paymentLink.list': 'list',
	'status.v2': 'status',
	'status.v3': 'status',
	token: 'token',
	signature: 'sign',
};

interface Envelope {
	signature?: string;
	params?: Record<string, unknown>;
}

const NO_ENDPOINT: WireReply = { kind: 'reply', status: 404, body: 'There is no such page' };

/**
 * The service: the sandbox's endpoints, with their own check of signatures and parameters, behind lags, odd
 * habits and faults. What it takes goes into its ledger.
 */
export class Service {
	readonly ledger = new Ledger();
	/** Everything that must never be seen anywhere else. */
	readonly secretsSeen = new Set<string>();
	readonly switches: Switches;
	private readonly sandbox: Sandbox;
	private readonly counts = new Map<EndpointName, number>();
	private areFaultsOver = false;

	constructor(
		private readonly clock: Clock,
		private readonly seed: number,
		switches: Switches,
		private readonly faults: readonly Fault[],
		secretKey: string,
		private readonly listener: Listener,
	) {
		this.switches = { ...switches };
		this.sandbox = createWorld(
			resolveOptions({
				...sandboxSwitches(switches),
				clock: () => clock.now(),
				integrations: [{ ...SHOP, secretKey }],
				signature: switches.signing === 'other' ? OTHER_RECIPE : {},
			}),
		);
		this.sandbox.url = PAY_URL;
		// Here customers decide how a payment ends, and when.
		Object.assign(this.sandbox.lifecycle, { follow: () => undefined });
	}

	/** From now on nothing goes wrong, and nothing lags. */
	heal(): void {
		this.areFaultsOver = true;
		Object.assign(this.switches, { listLag: 0, statusLag: 0 });
	}

	/** The account gets another key. */
	rotate(secretKey: string): void {
		for (const one of this.sandbox.settings.integrations) one.secretKey = secretKey;
	}

	receive(request: WireRequest): Exchange {
		const found = ENDPOINTS.find(
			({ path, method }) => request.method === method && request.url === BASE_URL + path,
		);
		const endpoint = NAMES[found?.name ?? ''];
		if (found === undefined || endpoint === undefined)
			return { there: 5, back: 5, connects: true, answer: () => NO_ENDPOINT };
		const nth = (this.counts.get(endpoint) ?? 0) + 1;
		this.counts.set(endpoint, nth);
		const fault = this.areFaultsOver
			? undefined
			: this.faults.find((each) => each.endpoint === endpoint && each.nth === nth);
		const play = fault && playOf(fault.kind);
		const way = new Random(this.seed, `way ${endpoint} ${nth}`);
		const envelope = (request.body === '' ? {} : JSON.parse(request.body)) as Envelope;
		if (envelope.signature !== undefined) this.secretsSeen.add(envelope.signature);
		const asked: Asked = {
			at: this.clock.now(),
			endpoint,
			nth,
			execution: request.execution,
			fault,
			tag: endpoint === 'create' ? tagIn(envelope.params ?? {}) : '',
			shown: [],
			isWhole: play === undefined || fault?.kind === 'slow' || fault?.kind === 'echo',
			refusedBecause: null,
		};
		this.listener.onAsked(asked);
		return {
			there: way.whole(5, 120),
			back: way.whole(5, 200) + (play?.slow ?? 0),
			connects: play?.connects ?? true,
			answer: () => {
				const other = this.ledger.entries.at(-1) ?? null;
				const real =
					play?.processes === false ? NO_ENDPOINT : this.answer(found, envelope, request, asked);
				if (play === undefined) return real;
				const isLink = found.name === 'paymentLink.create';
				const signature = envelope.signature ?? '';
				const names = other !== null && isWhole(other) ? namesOf(other) : null;
				return play.reply(real, { signature, nth, isLink, other: names });
			},
		};
	}

	/** A customer opens what was sent, and pays, or fails to. */
	pay(entry: Entry, amount: number, state: 'success' | 'failed', why = 'DECLINED'): Transaction {
		const { lifecycle, store } = this.sandbox;
		const open = entry.transactions.at(-1);
		const isSame = this.switches.tries === 'sameReference' || entry.kind === 'collection';
		const ref = isSame ? entry.reference : store.nextReference('PL');
		const record =
			(entry.kind === 'collection' ? store.transactions.get(ref) : undefined) ??
			lifecycle.open({
				kind: 'link',
				integration: SHOP.id,
				ref,
				amount,
				currency: entry.currency,
				country: 'Kenya',
				order: null,
				mobile: String(entry.params.phone ?? ''),
				callback_url: entry.callbackUrl ?? '',
				payment_channel: 'Send money',
				transaction_detail: String(entry.params.item_name ?? ''),
			});
		record.amount = amount;
		const failure = { failureCode: why, failureMessage: 'The customer did not approve' };
		const outcome =
			state === 'success'
				? ({ status: 'success' } as const)
				: ({ status: 'failed', failure } as const);
		void lifecycle.settle(record, outcome, 'never');
		const moment = { at: this.clock.now(), state, record: structuredClone(record) };
		if (open !== undefined && isSame) {
			open.amount = amount;
			open.history.push(moment);
			return open;
		}
		const transaction: Transaction = { ref, entry, amount, history: [moment] };
		entry.transactions.push(transaction);
		return transaction;
	}

	private answer(
		endpoint: Endpoint,
		{ params = {} }: Envelope,
		{ body, headers, execution }: WireRequest,
		asked: Asked,
	): WireReply {
		const lag = asked.endpoint === 'list' ? this.switches.listLag : this.switches.statusLag;
		const isRead = asked.endpoint === 'list' || asked.endpoint === 'status';
		const sandbox = isRead ? this.seenAt(this.clock.now() - lag * 1000) : this.sandbox;
		const before = this.sandbox.store.ledger.accepted;
		const json: unknown = body === '' ? null : JSON.parse(body);
		const answer = endpoint.handle({ headers, body, json }, sandbox);
		asked.refusedBecause = answer.evidence?.reason ?? this.whyNotTaken(asked, answer);
		this.listener.onAnswered(asked);
		if (this.sandbox.store.ledger.accepted > before) this.take(execution, params);
		return {
			kind: 'reply',
			status: answer.status,
			body: JSON.stringify({ ...answer.body, ...this.dataOf(answer, asked, params) }),
		};
	}

	private whyNotTaken({ endpoint }: Asked, { body, note }: Answer): string | null {
		const isRefused = body.success === false && (endpoint === 'create' || endpoint === 'list');
		return isRefused ? (note ?? String(body.message)) : null;
	}

	/** What the sandbox has just taken, for the ledger. */
	private take(execution: string, params: Record<string, unknown>): void {
		const { store } = this.sandbox;
		const taken = store.ledger.entries.at(-1);
		if (taken === undefined) return;
		const { kind, reference, amount, currency } = taken;
		const link = store.links.get(reference);
		const record = store.transactions.get(reference);
		const at = this.clock.now();
		const entry: Entry = {
			kind,
			reference,
			link: link?.link ?? null,
			params,
			tag: tagIn(params),
			amount,
			currency,
			callbackUrl: (link?.callback_url ?? record?.callback_url) || null,
			at,
			execution,
			transactions: [],
		};
		if (record !== undefined) {
			const history = [{ at, state: 'pending' as const, record: structuredClone(record) }];
			entry.transactions.push({ ref: reference, entry, amount, history });
		}
		this.listener.onTaken(entry);
		this.ledger.add(entry);
	}

	/** `data` of a reply with this service's habits, and a note of what it shows. */
	private dataOf(
		{ body }: Answer,
		asked: Asked,
		{ id }: Record<string, unknown>,
	): { data?: unknown } {
		const { data, success } = body;
		if (success !== true) return {};
		switch (asked.endpoint) {
			case 'list': {
				const text = JSON.stringify(data);
				const shown = this.ledger.entries.filter(
					(entry) =>
						isWhole(entry) &&
						text.includes(`${JSON.stringify(entry.reference)}`) &&
						this.switches.listEntries !== 'fields',
				);
				asked.shown.push(...shown.map(({ tag }) => tag));
				return { data: inNumbers(data, this.switches) };
			}
			case 'status': {
				const record = data as Record<string, unknown>;
				const entry = this.ledger.transaction(String(record.ref))?.entry;
				if (entry === undefined) throw new Error(`Nothing is known of ${String(id)}`);
				asked.shown.push(entry.tag);
				return { data: habitual(record, entry, this.switches) };
			}
			case 'token':
				this.secretsSeen.add(String((data as { token: string }).token));
				return {};
			default:
				return {};
		}
	}

	/** As somebody sees it who is behind. */
	private seenAt(time: number): Sandbox {
		const { store } = this.sandbox;
		const records = this.ledger.transactions.flatMap((each) => {
			const record = recordAt(each, time);
			return record === null ? [] : [[each.ref, record] as const];
		});
		const links = [...store.links].filter(([, { createdAt }]) => Date.parse(createdAt) <= time);
		const behind = Object.create(store, {
			transactions: { value: new Map(records) },
			links: { value: new Map(links) },
		}) as Sandbox['store'];
		return { ...this.sandbox, store: behind };
	}
}

/** What a reply names a payment by. */
const namesOf = ({ reference, link, callbackUrl }: Entry): Record<string, unknown> => ({
	reference,
	...(link !== null && { link }),
	...(callbackUrl !== null && { callback_url: callbackUrl }),
});
