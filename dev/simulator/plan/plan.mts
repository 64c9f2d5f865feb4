import type { Fault } from '../service/faults.mts';
import type { Switches } from '../service/switches.mts';

/**
 * Everything that is decided before a world begins: who does what and when, and what goes wrong. It
 * is plain data, so that a story can be told again from a file, and made shorter by leaving parts of it out.
 */
export interface Plan {
	seed: number;
	switches: Switches;
	/** Whether the owner has entered in the credential what this service calls things. */
	isTaught: boolean;
	verification: 'confirm' | 'address' | 'hmac';
	flows: Flow[];
	events: PlannedEvent[];
	faults: Fault[];
	/** What becomes of the so-manyth callback that the service sends. */
	deliveries: Array<{ nth: number; kind: DeliveryKind }>;
}

/** `strangerFirst`: somebody else names the payment at the bare address before. */
export const DELIVERY_KINDS = ['lost', 'twice', 'late', 'oldAgain', 'strangerFirst'] as const;

export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

export type FlowKind = 'links' | 'collections' | 'collectAndWait' | 'linksAndWait' | 'loopAndWait';

/** Other nodes of n8n around the create: see `graphs.mts`. */
export type Graph =
	| 'filterBefore'
	| 'filterAfter'
	| 'ifAfter'
	| 'mergeBefore'
	| 'mergeAfter'
	| 'splitOut'
	| 'editFields'
	| 'called'
	| 'calledEach';

/** A workflow of `examples/` that is played: see `files.mts`. */
export type FileName = 'link-email-paid-and-on' | 'asked-again-when-it-failed';

/** A workflow of the operator, and the sheet that it is run on. */
export interface Flow {
	id: string;
	kind: FlowKind;
	/** Without it, nothing stands around the create but what its kind says. */
	graph?: Graph;
	/** With it, the workflow is that of the file. */
	file?: FileName;
	mode: 'fields' | 'columns';
	/** Where callbacks of flows go that do not wait. */
	callback: 'trigger' | 'none';
	onError: 'continueErrorOutput' | 'continueRegularOutput' | 'stopWorkflow';
	retryOnFail: boolean;
	isKeyed: boolean;
	concurrency: number;
	guard: Guard | null;
	waitMinutes: number;
	rows: SheetRow[];
}

export interface Guard {
	option: 'dryRun' | 'maxAmount' | 'maxTotal';
	/** Null: an expression that finds nothing. */
	value: true | number | null;
}

/** A row of a sheet. Its tag is the payment that is meant, however its cells are written. */
export interface SheetRow {
	tag: string;
	customer: string;
	order: string | number | null;
	amount: string | number;
	item: string;
	phone: string;
	key: string | null;
	/** What earlier runs said, written back into columns of its own. */
	written?: Record<string, string | boolean>;
}

export type OnDuplicate = 'skip' | 'sendUnanswered' | 'sendAnyway';

/** What an operator writes into the cells of a row. */
export type Change = Partial<Omit<SheetRow, 'tag' | 'key' | 'written'>>;

/**
 * What a stranger makes of the address of another payment: with a code of his own, with the code of a
 * payment that he knows, without its end, or with two marks.
 */
export const MARK_TRICKS = ['madeUp', 'spliced', 'cut', 'doubled'] as const;

export type MarkTrick = (typeof MARK_TRICKS)[number];

/** What people do, each at its minute. */
export type PlannedEvent = { minute: number } & (
	| {
			kind: 'run';
			flow: string;
			onDuplicate: OnDuplicate;
			/** Of n8n, so many awaits later. */ killAfter: number | null;
	  }
	| { kind: 'edit'; flow: string; tag: string; change: Change }
	/** What is known of the rows is written into the sheet. */
	| { kind: 'writeBack'; flow: string }
	/** The sheet is checked, perhaps changed, and then sent with what was approved. */
	| { kind: 'approve'; flow: string; tag: string; change: Change | null }
	/** The running executions are stopped, so many awaits later. */
	| { kind: 'cancel'; after: number }
	| { kind: 'merge'; into: string; from: string }
	/** `why`: the service's word for a failure. */
	| { kind: 'pay'; tag: string; share: number; state: 'success' | 'failed'; why?: string }
	| {
			kind: 'forge';
			what: 'paid' | 'reference' | 'nothing';
			tag: string;
			at: 'trigger' | 'resume';
	  }
	/** The payment of one order is named at what a stranger has made of the address of another. */
	| { kind: 'forgeMark'; how: MarkTrick; tag: string; of: string }
	| { kind: 'misdirect'; tag: string; to: string }
	| { kind: 'replay'; nth: number }
	/** The account gets a new secret key. */
	| { kind: 'rotate' }
	| { kind: 'kill'; after: number }
);

export type EventKind = PlannedEvent['kind'];

export const EVENT_KINDS = [
	'run',
	'edit',
	'writeBack',
	'approve',
	'cancel',
	'merge',
	'pay',
	'forge',
	'forgeMark',
	'misdirect',
	'replay',
	'rotate',
	'kill',
] as const satisfies readonly EventKind[];
