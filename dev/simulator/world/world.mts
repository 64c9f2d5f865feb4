import { pass } from '../../host/engine/build.mts';
import { runWorkflow } from '../../host/engine/workflow.mts';
import type { BuiltNodes } from '../engine/build.mts';
import { drawFrom } from '../engine/chance.mts';
import { Clock } from '../engine/clock.mts';
import { N8n, type Execution } from '../engine/n8n.mts';
import { Webhooks } from '../engine/webhooks.mts';
import { installWire } from '../engine/wire.mts';
import { emittedBy, isTriggered, judgeEmitted, judgeLost } from '../oracle/callbacks.mts';
import type { Broken, Delivery, Emitted, Facts, Run } from '../oracle/facts.mts';
import { judgeEnds, judgeMail } from '../oracle/files.mts';
import { judgeHealed } from '../oracle/healed.mts';
import { judgeItems, toldBy } from '../oracle/items.mts';
import { judgeSecrets } from '../oracle/secrets.mts';
import { judgeAnswered, judgeAsked, judgeTaken } from '../oracle/taken.mts';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { TRIGGER_URL } from '../plan/files.mts';
import type { Plan } from '../plan/plan.mts';
import { triggerWorkflow } from '../plan/workflow.mts';
import { Random } from '../random.mts';
import { OWN_REFUSAL, playOf } from '../service/faults.mts';
import { BASE_URL, OTHER_RECIPE, Service, type Asked } from '../service/service.mts';
import { OWN_WORDS } from '../service/switches.mts';
import { stateOf } from '../service/ledger.mts';
import { act } from './act.mts';
import { Customers } from './customers.mts';
import { Operator } from './operator.mts';
import { Reached, READ_ENDS } from './reached.mts';
import type { Report } from './report.mts';
import { Story } from './story.mts';
import { Stranger } from './stranger.mts';

/** A Monday. */
const START = Date.UTC(2026, 2, 2, 8);
const MINUTE = 60_000;
/** After the last event: callbacks have been tried again by then. Then nothing goes wrong any longer. */
const HEALING_MINUTES = 24 * 60;
/** From then on: all waits have ended by then. */
const REST_MINUTES = 3 * 24 * 60;

const SECRET = 'canary-secret-key-0f3a9c';

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

/** What the owner of the account has entered. */
function credentialFor({ switches, isTaught }: Plan): ICredentialDataDecryptedObject {
	return {
		baseUrl: BASE_URL,
		clientId: 'client-1',
		sender: 'Amina Shop',
		secretKey: SECRET,
		...(switches.signing === 'endpoint' && { signatureSource: 'endpoint' }),
		...(switches.signing === 'other' && {
			signatureTemplate: OTHER_RECIPE.template,
			signatureAlgorithm: OTHER_RECIPE.algorithm,
			signatureEncoding: OTHER_RECIPE.encoding,
		}),
		...(isTaught && {
			referenceFields: 'ref, reference, id',
			successStatuses: `success, successful, completed, ${OWN_WORDS.success}`,
			failureStatuses: `failed, declined, ${OWN_WORDS.failed}`,
			finalRefusals: OWN_REFUSAL,
		}),
	};
}

/** Everything that people and their events can reach. */
export class World implements Facts {
	readonly runs = new Map<string, Run>();
	readonly asked: Asked[] = [];
	readonly deliveries: Delivery[] = [];
	readonly emitted: Emitted[] = [];
	readonly cameOut: Emitted[] = [];
	readonly told = new Map<string, string[]>();
	/** What was last said of a row that was not refused, by workflow and tag. */
	readonly said = new Map<string, Record<string, unknown>>();
	readonly rotations: number[] = [];
	readonly reached = new Reached();
	readonly story: Story;
	readonly service: Service;
	readonly webhooks: Webhooks;
	/** The account's secret key. */
	secret = SECRET;
	kills = 0;
	private readonly heard = new Set<Execution>();
	private readonly broken: Broken[] = [];
	private readonly ownSecrets = new Set([SECRET]);
	/** By execution and tag. */
	private readonly outcomes = new Map<string, string>();

	private constructor(
		readonly plan: Plan,
		readonly clock: Clock,
		readonly n8n: N8n,
	) {
		this.story = new Story(() => clock.now());
		this.service = new Service(clock, plan.seed, plan.switches, plan.faults, SECRET, {
			onAsked: (asked) => this.onAsked(asked),
			onAnswered: (asked) => this.note(judgeAnswered(this, asked)),
			onTaken: (entry) => {
				const { tag, reference, amount, currency } = entry;
				this.story.say(`The service takes ${tag} as ${reference}: ${amount} ${currency}.`);
				this.note(judgeTaken(this, entry));
			},
		});
		this.webhooks = new Webhooks(n8n, triggerWorkflow(plan), TRIGGER_URL);
		n8n.onChange = (execution) => this.onChange(execution);
		n8n.onMail = (mail) => {
			this.story.say(`${mail.to} gets an e-mail: ${mail.subject}.`);
			this.note(judgeMail(this, mail));
		};
		n8n.onKill = () => {
			this.kills++;
			this.story.say('n8n is killed.');
		};
	}

	static async create(
		plan: Plan,
		clock: Clock,
		built: BuiltNodes,
		giveBack: Array<() => void>,
	): Promise<World> {
		const n8n = await N8n.start(clock, built, { unifiedPaymentsApi: credentialFor(plan) });
		const world = new World(plan, clock, n8n);
		giveBack.push(installWire(clock, (request) => world.service.receive(request)));
		return world;
	}

	get ledger() {
		return this.service.ledger;
	}

	get executions() {
		return this.n8n.executions;
	}

	get secrets(): ReadonlySet<string> {
		return new Set([...this.ownSecrets, ...this.service.secretsSeen]);
	}

	async play(): Promise<Report> {
		const { clock, plan } = this;
		const customers = new Customers(this);
		const operator = new Operator(this);
		const people = { operator, customers, stranger: new Stranger(this, customers) };
		for (const event of plan.events) {
			clock.at(START + event.minute * MINUTE, () => {
				this.reached.note(`event ${event.kind}`);
				act(event, people, this);
			});
		}
		const last = (plan.events.at(-1)?.minute ?? 0) + HEALING_MINUTES;
		clock.at(START + last * MINUTE, () => {
			this.story.say('From now on nothing goes wrong.');
			this.service.heal();
			this.n8n.process.spare();
			operator.runLast();
		});
		await clock.runUntil(START + (last + REST_MINUTES) * MINUTE);
		this.note(judgeLost(this));
		for (const { id, status } of this.executions) {
			if (status === 'done' || status === 'killed') continue;
			this.note([{ invariant: 'everything ends', what: `execution ${id} is still ${status}` }]);
		}
		this.noteFaults();
		return {
			story: this.story.lines,
			broken: this.broken,
			counts: {
				events: plan.events.length,
				faults: this.asked.filter(({ fault }) => fault !== undefined).length,
				kills: this.kills,
				payments: this.ledger.transactions.filter((each) => stateOf(each) === 'success').length,
				taken: this.ledger.entries.length,
				callbacks: this.deliveries.length,
			},
			reached: this.reached,
		};
	}

	/** What became of the requests that a fault has hit. */
	private noteFaults(): void {
		for (const [at, { endpoint, fault, execution, tag }] of this.asked.entries()) {
			if (fault === undefined) continue;
			const isSame = (each: Asked) => each.endpoint === endpoint && each.execution === execution;
			const isAnswered = (each: Asked) => each.isWhole && isSame(each);
			const [answered, givenUp] = READ_ENDS;
			const end =
				endpoint === 'create'
					? (this.outcomes.get(`${execution} ${tag}`) ?? 'nothing')
					: this.asked.slice(at).some(isAnswered)
						? answered
						: givenUp;
			this.reached.note(`${endpoint} ${fault.kind}: ${end}`);
		}
	}

	/** A new secret key, at the service and in the credential. */
	rotate(): void {
		const previousSecretKey = this.secret;
		this.secret = `${SECRET}-${this.ownSecrets.size}`;
		this.ownSecrets.add(this.secret);
		this.rotations.push(this.clock.now());
		this.service.rotate(this.secret);
		const changes = { secretKey: this.secret, previousSecretKey };
		Object.assign(this.n8n.credentials.unifiedPaymentsApi ?? {}, changes);
	}

	private onAsked(asked: Asked): void {
		this.asked.push(asked);
		const { fault, endpoint, tag } = asked;
		if (fault !== undefined) {
			const about = tag === '' ? `a request (${endpoint})` : `the request for ${tag}`;
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
		if (isTriggered(execution)) return this.onTrigger(execution);
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
			if (outcome !== '') this.reached.note(`row ${outcome}`);
			if (typeof item.state === 'string') this.reached.note(`waited ${item.state}`);
			this.outcomes.set(`${id} ${tag}`, outcome);
			if (!('error' in item)) this.said.set(key, item);
			// With Send Anyway nothing is remembered, as docs/operations.md says.
			if (run.onDuplicate === 'sendAnyway') continue;
			this.told.set(key, [...(this.told.get(key) ?? []), outcome]);
		}
		this.note(judgeItems(this, execution, run));
		this.note(judgeHealed(this, execution, run));
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

	note(broken: readonly Broken[]): void {
		for (const each of broken) {
			this.broken.push(each);
			this.story.say(`BROKEN: ${each.invariant}. ${each.what}`);
		}
	}
}
