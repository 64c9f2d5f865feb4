import { pass } from '../../host/engine/build.mts';
import { runWorkflow } from '../../host/engine/workflow.mts';
import type { BuiltNodes } from '../engine/build.mts';
import { drawFrom } from '../engine/chance.mts';
import { Clock } from '../engine/clock.mts';
import { N8n, type Execution } from '../engine/n8n.mts';
import type { Mail } from '../engine/nodes/mail.mts';
import { Webhooks } from '../engine/webhooks.mts';
import { installWire } from '../engine/wire.mts';
import { emittedBy, isTriggered, judgeEmitted, judgeLost } from '../oracle/callbacks.mts';
import {
	judgeApproved,
	judgeDesk,
	judgeLetter,
	judgeMarks,
	judgePaidMessage,
} from '../oracle/desk.mts';
import type { Broken, Delivery, Emitted, Facts, Run } from '../oracle/facts.mts';
import { judgeEnds, judgeMail, judgeMessage } from '../oracle/files.mts';
import { judgeItems, toldBy } from '../oracle/items.mts';
import { judgeSecrets } from '../oracle/secrets.mts';
import { judgeAsked, judgeTaken } from '../oracle/taken.mts';
import type { Plan } from '../plan/plan.mts';
import { Random } from '../random.mts';
import { playOf } from '../service/faults.mts';
import { Service, type Asked } from '../service/service.mts';
import { act } from './act.mts';
import { Customers } from './customers.mts';
import { DeskPeople } from './desk.mts';
import { Operator } from './operator.mts';
import type { Report } from './report.mts';
import { Story } from './story.mts';
import { Stranger } from './stranger.mts';
import { triggersOf } from './triggers.mts';

/** A Monday. */
const START = Date.UTC(2026, 2, 2, 8);
const MINUTE = 60_000;
/** After the last event: retried callbacks and waits have ended by then. */
const REST_MINUTES = 4 * 24 * 60;

const SECRET = 'canary-secret-key-0f3a9c';
const TOKEN = 'canary-callback-token';

let isWarm = false;

/** What n8n draws when it is loaded, and the timers that it sets for good in its first execution, are of no world. */
async function warmUp(): Promise<void> {
	if (!isWarm) await runWorkflow({ nodes: [pass('Start')], connections: {}, nodeTypes: {} });
	isWarm = true;
}

/** Plays a plan from its beginning to its end, and judges everything that is said in it. */
export async function playPlan(plan: Plan, built: BuiltNodes): Promise<Report> {
	await warmUp();
	const clock = new Clock(START);
	const giveBack = [clock.install(), drawFrom(new Random(plan.seed, 'chance'))];
	try {
		const world = await World.create(plan, clock, built, giveBack);
		return await world.play();
	} finally {
		for (const each of giveBack.reverse()) each();
	}
}

/** Everything that people and their events can reach. */
export class World implements Facts {
	readonly runs = new Map<string, Run>();
	readonly asked: Asked[] = [];
	readonly deliveries: Delivery[] = [];
	readonly emitted: Emitted[] = [];
	readonly cameOut: Emitted[] = [];
	readonly told = new Map<string, string[]>();
	readonly mails: Array<{ at: number; mail: Mail }> = [];
	readonly desk: DeskPeople;
	readonly story: Story;
	readonly service: Service;
	readonly webhooks: Webhooks;
	readonly secret = SECRET;
	kills = 0;
	private readonly heard = new Set<Execution>();
	private readonly broken: Broken[] = [];
	private readonly marks: Report['marks'] = [];
	private readonly ownSecrets = new Set([SECRET]);

	private constructor(
		readonly plan: Plan,
		readonly clock: Clock,
		readonly n8n: N8n,
	) {
		this.story = new Story(() => clock.now());
		this.service = new Service(clock, plan.seed, plan.switches, plan.faults, {
			onAsked: (asked) => this.onAsked(asked),
			onTaken: (entry) => {
				const { tag, reference, amount, currency } = entry;
				this.story.say(`The service takes ${tag} as ${reference}: ${amount} ${currency}.`);
				this.mark('taken');
				const execution = this.executions.find(({ id }) => id === entry.execution);
				if (execution !== undefined && isOfDesk(execution)) {
					this.runs.set(execution.id, this.desk.runOf(execution));
					this.note(judgeApproved(this, entry));
				}
				this.note(judgeTaken(this, entry));
			},
		});
		this.desk = new DeskPeople(this);
		this.webhooks = new Webhooks(n8n, triggersOf(plan, this.desk));
		n8n.onQuestion = (question) => this.desk.onQuestion(question);
		n8n.onChange = (execution) => this.onChange(execution);
		n8n.onMail = (mail, id) => this.onMail(mail, id);
		n8n.onMessage = (channel, text, id) => {
			this.story.say(`In ${channel}: ${text.split('\n')[0]}.`);
			this.note(judgeMessage(this, text));
			const execution = this.executions.find((each) => each.id === id);
			if (execution === undefined) return;
			this.hear(execution);
			this.note(judgePaidMessage(this, text, execution.workflow.id));
		};
		n8n.onKill = () => {
			this.kills++;
			this.mark('kill');
			this.story.say('n8n is killed.');
		};
	}

	static async create(
		plan: Plan,
		clock: Clock,
		built: BuiltNodes,
		giveBack: Array<() => void>,
	): Promise<World> {
		const credential = {
			baseUrl: 'https://api.service.example',
			clientId: 'client-1',
			sender: 'Amina Shop',
			secretKey: SECRET,
		};
		const n8n = await N8n.start(clock, built, { unifiedPaymentsApi: credential });
		const world = new World(plan, clock, n8n);
		if (plan.hasToken) world.rotateToken();
		giveBack.push(installWire(clock, (request) => world.service.receive(request)));
		return world;
	}

	get ledger() {
		return this.service.ledger;
	}

	get executions() {
		return this.n8n.executions;
	}

	get tables() {
		return this.n8n.tables;
	}

	get uploads() {
		return this.desk.uploads;
	}

	get secrets(): ReadonlySet<string> {
		return new Set([...this.ownSecrets, ...this.service.secretsSeen]);
	}

	async play(): Promise<Report> {
		const customers = new Customers(this);
		const people = {
			operator: new Operator(this),
			customers,
			stranger: new Stranger(this, customers),
		};
		for (const event of this.plan.events) {
			this.clock.at(START + event.minute * MINUTE, () => act(event, people, this));
		}
		this.desk.start();
		const last = this.plan.events.at(-1)?.minute ?? 0;
		await this.clock.runUntil(START + (last + REST_MINUTES) * MINUTE);
		this.note(judgeLost(this));
		this.note(judgeDesk(this));
		for (const execution of this.executions) {
			const { id, status } = execution;
			if (status === 'done' || status === 'killed') continue;
			// n8n never wakes who waits for an execution that was killed.
			if (this.executions.some((each) => each.parent === execution && each.status === 'killed'))
				continue;
			this.note([{ invariant: 'everything ends', what: `execution ${id} is still ${status}` }]);
		}
		return {
			story: this.story.lines,
			broken: this.broken,
			counts: {
				events: this.plan.events.length,
				faults: this.asked.filter(({ fault }) => fault !== undefined).length,
				kills: this.kills,
				payments: this.marks.filter(({ what }) => what === 'paid').length,
				taken: this.ledger.entries.length,
				callbacks: this.deliveries.length,
			},
			marks: this.marks,
		};
	}

	mark(what: Report['marks'][number]['what']): void {
		this.marks.push({ at: this.clock.now() - START, what });
	}

	/** A new callback token in the credential. */
	rotateToken(): void {
		const token = `${TOKEN}-${this.ownSecrets.size}`;
		this.ownSecrets.add(token);
		Object.assign(this.n8n.credentials.unifiedPaymentsApi ?? {}, { callbackToken: token });
	}

	private onAsked(asked: Asked): void {
		this.asked.push(asked);
		const { fault, endpoint, tag } = asked;
		if (fault !== undefined) {
			const about = tag === '' ? `a request (${endpoint})` : `the request for ${tag}`;
			this.mark('fault');
			this.story.say(`The service is sent ${about}, and ${playOf(fault.kind).says}.`);
		}
		this.note(judgeAsked(this, asked));
	}

	private onChange(execution: Execution): void {
		const { id, status, workflow, result } = execution;
		if (status === 'running')
			return this.story.say(`Execution ${id} of ${workflow.id} is stopped.`);
		this.hear(execution);
		if (status === 'killed') return this.story.say(`Execution ${id} of ${workflow.id} is gone.`);
		this.note(judgeSecrets(this, execution));
		if (status === 'waiting') return this.story.say(`Execution ${id} of ${workflow.id} sleeps.`);
		this.note(judgeMarks(this));
		if (isTriggered(execution)) return this.onTrigger(execution);
		if (isOfDesk(execution)) return this.desk.onChange(execution);
		const run = this.runs.get(id);
		if (run === undefined) return;
		const failure = result?.failure?.message;
		if (failure !== undefined) this.story.say(`Execution ${id} of ${workflow.id} ends: ${failure}`);
		for (const told of toldBy(execution)) {
			const { tag, outcome, item } = told;
			const more = ['state', 'paidInFull', 'reference', 'link'].flatMap((name) =>
				item[name] === undefined || item[name] === null ? [] : [`${name} ${String(item[name])}`],
			);
			this.story.say(`${workflow.id} says of ${tag}: ${[outcome, ...more].join(', ')}.`);
			const key = `${workflow.id} ${tag}`;
			// With Send Anyway nothing is remembered, as docs/operations.md says.
			if (run.onDuplicate === 'sendAnyway') continue;
			this.told.set(key, [...(this.told.get(key) ?? []), outcome]);
		}
		this.note(judgeItems(this, execution, run));
		if (run.flow.file !== undefined) this.note(judgeEnds(this, execution, run));
	}

	/** What has come out of a trigger, once. */
	private hear(execution: Execution): void {
		if (!isTriggered(execution) || this.heard.has(execution)) return;
		const told = emittedBy(execution);
		if (told.length > 0) this.heard.add(execution);
		this.cameOut.push(...told.map((each) => ({ ...each, at: this.clock.now() })));
	}

	private onTrigger(execution: Execution): void {
		for (const each of emittedBy(execution)) {
			const { ref, state, order, paidInFull } = each;
			this.story.say(
				`The trigger says: ${ref} is ${state}, order ${order}, paid in full: ${String(paidInFull)}.`,
			);
			this.emitted.push({ ...each, at: this.clock.now() });
		}
		for (const { reason } of execution.result?.json(execution.start, 1) ?? []) {
			this.story.say(`The trigger rejects a callback: ${String(reason)}.`);
		}
		const failure = execution.result?.failure?.message;
		if (failure !== undefined) this.story.say(`The trigger's execution ends: ${failure}`);
		this.note(judgeEmitted(this, execution));
	}

	private onMail(mail: Mail, id: string): void {
		const execution = this.executions.find((each) => each.id === id);
		const deliver = () => {
			this.story.say(`${mail.to} gets an e-mail: ${mail.subject}.`);
			this.note(judgeMail(this, mail));
			if (execution === undefined || !isOfDesk(execution)) return;
			this.note(judgeLetter(this, mail));
			this.mails.push({ at: this.clock.now(), mail });
		};
		if (execution !== undefined && isOfDesk(execution)) return this.desk.onMail(mail, deliver);
		deliver();
	}

	note(broken: readonly Broken[]): void {
		for (const each of broken) {
			this.broken.push(each);
			this.story.say(`BROKEN: ${each.invariant}. ${each.what}`);
		}
	}
}

const isOfDesk = ({ workflow }: Execution): boolean => workflow.id.startsWith('desk-');
