import { startEngine } from '../../host/engine/start.mts';

import { DataDeduplicationService } from 'n8n-core';
import type { IConnections, INode, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import type { CredentialData } from '../../host/engine/credentials.mts';
import { createDeduplicator } from '../../host/engine/deduplicator.mts';
import type { LogLine } from '../../host/engine/log.mts';
import { withLog } from '../../host/engine/log.mts';
import type { RunResult } from '../../host/engine/result.mts';
import { continueRun, prepareRun, type PreparedRun } from '../../host/engine/workflow.mts';
import type { BuiltNodes } from './build.mts';
import { callable } from './calledWorkflows.mts';
import type { Clock } from './clock.mts';
import { HELPERS } from './helperNodes.mts';
import { mailNode, type Mail } from './nodes/mail.mts';
import { checkpoint, Process, runAs, runOutside } from './process.mts';

export const ACTION = 'n8n-nodes-unified-payments.unifiedPayments';
export const TRIGGER = 'n8n-nodes-unified-payments.unifiedPaymentsTrigger';
const WAITING_URL = 'https://n8n.example/webhook-waiting';
const RESTART_MS = 60_000;
/** n8n looks about once a minute whose time is up. */
const POLL_MS = 60_000;

/** A saved workflow. */
export interface SavedWorkflow {
	id: string;
	nodes: INode[];
	connections: IConnections;
	/** Those that it calls. */
	calls?: SavedWorkflow[];
}

/** How an execution begins, if not at the first node. */
interface Beginning {
	start?: string;
	/** Of a trigger: where the callback came to. */
	calledUrl?: string;
}

export interface Execution {
	id: string;
	workflow: SavedWorkflow;
	startedAt: number;
	status: 'running' | 'waiting' | 'done' | 'killed';
	/** As far as it has come. */
	result: RunResult | undefined;
	/** What has come out of its nodes until now. */
	live: IRunExecutionData | undefined;
	/** As it is in the database. */
	stored: IRunExecutionData | undefined;
	waitTill: number;
	log: LogLine[];
	/** Whether somebody stopped it. */
	isCancelled: boolean;
	/** The node that it began with. */
	start: string;
	calledUrl?: string;
}

/** n8n: its database outlives every kill, and nothing else does. */
export class N8n {
	process = new Process();
	readonly executions: Execution[] = [];
	/** Told when an execution ends, sleeps or dies. */
	onChange: (execution: Execution) => void = () => undefined;
	onKill: () => void = () => undefined;
	/** Told of every e-mail. */
	onMail: (mail: Mail) => void = () => undefined;
	private nodes: ReturnType<BuiltNodes['load']>;
	private died: () => void = () => undefined;
	private death: Promise<void> = new Promise((resolve) => (this.died = resolve));
	private readonly cancels = new Map<string, AbortController>();
	private readonly processed = new Map<string, string[]>();

	private constructor(
		readonly clock: Clock,
		private readonly built: BuiltNodes,
		/** May be edited while it runs. */
		readonly credentials: CredentialData,
	) {
		this.nodes = built.load();
	}

	private readonly databaseAccess = async (): Promise<void> => {
		await checkpoint();
		await this.clock.wait(3);
		await checkpoint();
	};

	static async start(clock: Clock, built: BuiltNodes, credentials: CredentialData): Promise<N8n> {
		await startEngine();
		const n8n = new N8n(clock, built, credentials);
		const deduplicator = createDeduplicator(n8n.processed, n8n.databaseAccess);
		Object.assign(DataDeduplicationService.getInstance(), { deduplicator });
		return n8n;
	}

	get isUp(): boolean {
		return !this.process.isDead;
	}

	/** Passes when this life of it ends. */
	async killed(): Promise<void> {
		await this.death;
	}

	get types() {
		return {
			...HELPERS,
			'n8n-nodes-base.emailSend': mailNode(async (mail) => await this.send(mail)),
			[ACTION]: this.nodes.action,
			[TRIGGER]: this.nodes.trigger,
		};
	}

	/** It is killed after so many more awaits, and started again a minute later. */
	killAfter(steps: number): void {
		this.process.killAfter(steps, () => {
			for (const each of this.executions) {
				if (each.status !== 'running') continue;
				each.status = 'killed';
				this.onChange(each);
			}
			runOutside(() => {
				this.onKill();
				this.died();
				this.clock.at(this.clock.now() + RESTART_MS, () => {
					this.process = new Process();
					this.nodes = this.built.load();
					this.death = new Promise((resolve) => (this.died = resolve));
				});
			});
		});
	}

	/** Those of the operator that run then are stopped, after so many more awaits. */
	cancelAfter(steps: number, isMeant: (execution: Execution) => boolean): void {
		this.process.cancelAfter(steps, () => {
			for (const each of this.executions) {
				if (each.status !== 'running' || !isMeant(each)) continue;
				each.isCancelled = true;
				this.cancels.get(each.id)?.abort();
				this.onChange(each);
			}
		});
	}

	/** Runs a workflow until it ends, sleeps or dies. */
	async run(
		workflow: SavedWorkflow,
		items: INodeExecutionData[],
		{ start = workflow.nodes[0]?.name ?? '', ...more }: Beginning = {},
	): Promise<Execution> {
		const execution: Execution = {
			id: String(this.executions.length + 1),
			workflow,
			startedAt: this.clock.now(),
			status: 'running',
			result: undefined,
			live: undefined,
			stored: undefined,
			waitTill: Infinity,
			log: [],
			isCancelled: false,
			start,
			...more,
		};
		this.executions.push(execution);
		const prepared = this.prepare(execution, items);
		await this.goOn(execution, prepared, prepared.runData);
		return execution;
	}

	prepare(
		{ id, workflow, start }: Pick<Execution, 'id' | 'workflow'> & { start?: string },
		items: INodeExecutionData[] = [],
	): PreparedRun {
		return prepareRun({
			nodes: workflow.nodes,
			connections: workflow.connections,
			items,
			nodeTypes: this.types,
			credentials: this.credentials,
			credentialTypes: [this.nodes.credential],
			workflowId: workflow.id,
			executionId: id,
			...(start !== undefined && { startNode: start }),
		});
	}

	/** From the beginning, or from where it went to sleep. */
	async goOn(
		execution: Execution,
		prepared: PreparedRun,
		runData: IRunExecutionData,
	): Promise<void> {
		execution.status = 'running';
		execution.live = runData;
		const { process, death } = this;
		const { signal } = this.cancelOf(execution);
		const { log } = execution;
		const called = callable(execution.workflow.calls ?? [], async (workflow, id, items) => {
			const own = this.prepare({ id, workflow }, items);
			return await continueRun(own, own.runData, log, signal, WAITING);
		});
		const running = runAs({ process, execution: execution.id }, () =>
			withLog(log, async () =>
				continueRun(prepared, runData, log, signal, { ...WAITING, ...called }),
			),
		);
		const result = await Promise.race([running, death]);
		if (result === undefined || process.isDead) return;
		execution.result = result;
		if (result.waitTill === undefined) execution.status = 'done';
		else {
			execution.status = 'waiting';
			execution.stored = structuredClone(result.run.data);
			execution.waitTill = result.waitTill.getTime();
			this.timeOutAt(execution, execution.waitTill);
		}
		this.onChange(execution);
	}

	/** On the way to a mail server, which is nobody's process. */
	private async send(mail: Mail): Promise<void> {
		await this.clock.wait(20);
		runOutside(() => this.onMail(mail));
	}

	private cancelOf({ id }: Execution): AbortController {
		const cancel = this.cancels.get(id) ?? new AbortController();
		this.cancels.set(id, cancel);
		return cancel;
	}

	private timeOutAt(execution: Execution, time: number): void {
		runOutside(() => {
			this.clock.at(time + POLL_MS / 2, () => {
				const { status, stored, waitTill } = execution;
				if (status !== 'waiting' || stored === undefined || waitTill > time) return;
				if (!this.isUp) return this.timeOutAt(execution, time + POLL_MS);
				void this.goOn(execution, this.prepare(execution), structuredClone(stored));
			});
		});
	}
}

export const WAITING = { webhookWaitingBaseUrl: WAITING_URL };

/** The workflow and node that a trigger's address belongs to, and an execution's own address. */
export const isWaitingUrl = (url: string): boolean => url.startsWith(`${WAITING_URL}/`);
