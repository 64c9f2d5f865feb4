import type { Callback, LoggedRequest, PaymentLink, Transaction, Wallet } from '../model.mts';
import type { FaultRule } from '../faults/rule.mts';
import type { Switches } from '../switches.mts';
import type { Keep } from './journal.mts';

interface EventMap {
	request: LoggedRequest;
	link: PaymentLink;
	transaction: Transaction;
	callback: Callback;
	wallet: Wallet;
	fault: FaultRule | { cleared: string | null };
	switches: Switches;
	reset: { at: string };
}

type EventName = keyof EventMap;
type Listener = (name: EventName, data: EventMap[EventName]) => void;

/** Changes that outlive a restart. */
const isKept = (name: EventName): name is 'link' | 'transaction' | 'callback' | 'wallet' =>
	name === 'link' || name === 'transaction' || name === 'callback' || name === 'wallet';

/** Tells listeners what changed, and has it kept. */
export class Events {
	private readonly listeners = new Set<Listener>();

	constructor(private readonly keep: Keep | null = null) {}

	/** Lets a caller skip work that only a listener would see. */
	get watched(): boolean {
		return this.listeners.size > 0;
	}

	subscribe(listener: Listener): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	emit<Name extends EventName>(name: Name, data: EventMap[Name]): void {
		if (this.keep !== null && isKept(name)) this.keep(name, data as never);
		for (const listener of this.listeners) listener(name, data);
	}
}
