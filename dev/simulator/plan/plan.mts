import type { Fault } from '../service/faults.mts';
import type { Switches } from '../service/switches.mts';

/**
 * Everything that is decided before a world begins: who does what and when, and what goes wrong. It
 * is plain data, so that a story can be told again, and made shorter by leaving parts of it out.
 */
export interface Plan {
	seed: number;
	switches: Switches;
	/** Whether the credential has a callback token. */
	hasToken: boolean;
	verification: 'confirm' | 'token' | 'hmac';
	/** Whether the trigger's workflow is `examples/status-alerts-to-slack.json`. */
	hasAlerts: boolean;
	flows: Flow[];
	events: PlannedEvent[];
	faults: Fault[];
	/** The payment desk, where there is one. */
	desk: Desk | null;
	/** What becomes of the so-manyth callback that the service sends. */
	deliveries: Array<{ nth: number; kind: DeliveryKind }>;
}

/** `strangerFirst`: somebody else names the payment at the bare address before. */
export type DeliveryKind = 'lost' | 'twice' | 'late' | 'oldAgain' | 'strangerFirst';

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
export type FileName =
	| 'link-email-paid-and-on'
	| 'sheet-to-payment-links'
	| 'asked-again-when-it-failed'
	| 'paid-and-marked-in-the-sheet';

/** `examples/desk`: what goes wrong with its e-mails. What people do with it are events. */
export interface Desk {
	mails: Array<{ nth: number; kind: MailFault }>;
}

/** `doubt`: the connection ends after the e-mail was sent. */
export type MailFault = 'down' | 'refused' | 'doubt';

/** A row of a sheet for the desk. */
export interface DeskRow extends SheetRow {
	hasEmail: boolean;
}

/** A sheet that is uploaded to the desk, and what becomes of it. Null: nobody ever does it. In minutes. */
export interface Upload {
	id: string;
	rows: DeskRow[];
	isCsv: boolean;
	/** Until the uploader asks for approval. */
	pressAfter: number | null;
	/** Until the approver answers. */
	answerAfter: number | null;
	isApproved: boolean;
	/** What somebody writes into the table just before the answer. */
	change: { tag: string; amount: number } | null;
	/** Of n8n, so many awaits after one of these. */
	kill: { at: 'upload' | 'ask' | 'answer'; after: number } | null;
}

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
	callback: 'trigger' | 'none' | 'desk';
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
}

export type OnDuplicate = 'skip' | 'sendUnanswered' | 'sendAnyway';

/** What an operator writes into the cells of a row. */
export type Change = Partial<Omit<SheetRow, 'tag' | 'key'>>;

/** What people do, each at its minute. */
export type PlannedEvent = { minute: number } & (
	| {
			kind: 'run';
			flow: string;
			onDuplicate: OnDuplicate;
			/** Of n8n, so many awaits later. */ killAfter: number | null;
	  }
	| {
			kind: 'edit';
			flow: string;
			tag: string;
			change: Change;
	  }
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
			at: 'trigger' | 'resume' | 'desk';
	  }
	| { kind: 'misdirect'; tag: string; to: string }
	| { kind: 'replay'; nth: number }
	| { kind: 'rotate' }
	| { kind: 'upload'; upload: Upload }
	/** The sheet of an upload is fetched, with what became of its rows. */
	| { kind: 'download'; upload: string }
	| { kind: 'kill'; after: number }
);
