import { createHmac } from 'node:crypto';

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { emitCallbacks } from '../../../nodes/UnifiedPayments/trigger/execution/emit.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';
import {
	DEMO_INTEGRATIONS,
	startSandbox,
	type Sandbox,
	type SandboxOptions,
	type Transaction,
} from '../../../dev/sandbox/index.mts';
import {
	serveTrigger,
	type TriggerHost,
	type TriggerOptions,
} from '../../../dev/host/engine/index.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { markedQuery } from '../../helpers/marks.mts';
import { json, startTap, startWire, type Wire } from '../../helpers/wire.mts';

const STATUS = '/api/v3/get-unified-transaction-status';
export const SECRET = DEMO_INTEGRATIONS[0]!.secretKey;
/** As often as in earnest, but with short waits. */
const IMPATIENT = [1, 2, 4, 8, 16, 32];

/** The trigger, asking a service that lags again after milliseconds. */
function impatientTrigger(): UnifiedPaymentsTrigger {
	const trigger = new UnifiedPaymentsTrigger();
	trigger.execute = async function (this: IExecuteFunctions) {
		return await emitCallbacks(this, IMPATIENT);
	};
	return trigger;
}

type ServeOptions = Omit<TriggerOptions, 'credentials' | 'credentialTypes'> & {
	/** Null: the node has none. */
	credential?: ICredentialDataDecryptedObject | null;
	type?: INodeType;
};

/** With the credential of the trigger, whose key marks are made with. */
export type Served = TriggerHost & { credential: ICredentialDataDecryptedObject };

interface Answer {
	status: number;
	json: unknown;
}

/** A sandbox with a tap before it, and triggers that are closed with it. */
export class World {
	private readonly open: Array<{ close(): Promise<void> }> = [];

	private constructor(
		readonly sandbox: Sandbox,
		readonly tap: Wire,
	) {}

	static async start(options: SandboxOptions = {}): Promise<World> {
		const sandbox = await startSandbox({
			settleDelayMs: Infinity,
			callbackRetry: { attempts: 1 },
			...options,
		});
		return new World(sandbox, await startTap(sandbox.url));
	}

	/** How often the service was asked about a transaction. */
	get asked(): number {
		return this.tap.received.filter(({ path }) => path === STATUS).length;
	}

	credential(changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
		return demoCredential(this.tap.url, changes);
	}

	async serve(parameters: INodeParameters = {}, options: ServeOptions = {}): Promise<Served> {
		const { credential = this.credential(), type = impatientTrigger(), ...more } = options;
		const host = await serveTrigger(type, {
			...more,
			parameters,
			credentials: credential === null ? {} : { unifiedPaymentsApi: credential },
			credentialTypes: [new UnifiedPaymentsApi()],
		});
		this.open.push(host);
		return Object.assign(host, { credential: credential ?? {} });
	}

	/** A service that answers as the test says. */
	async wire(answer: Parameters<typeof startWire>[0]): Promise<Wire> {
		const service = await startWire(answer);
		this.open.push(service);
		return service;
	}

	/** A service that answers as the test says, or always with this record, and a trigger that asks it. */
	async against(
		answer: Parameters<typeof startWire>[0] | Record<string, unknown>,
		parameters: INodeParameters = {},
		{ credential: changes, ...options }: ServeOptions = {},
	) {
		const service = await this.wire(
			typeof answer === 'function' ? answer : (_, response) => json(response, 200, found(answer)),
		);
		const credential = this.credential({ baseUrl: service.url, ...changes });
		return { service, credential, host: await this.serve(parameters, { ...options, credential }) };
	}

	/** A transaction made by the action node, with the trigger's URL as its callback URL. */
	async collect(
		fields: { amount?: number | string; callbackUrl?: string; reference?: string } = {},
		credential = this.credential(),
	): Promise<Transaction> {
		const before = new Set(this.sandbox.state.transactions.map(({ ref }) => ref));
		const { amount = 1500, callbackUrl = '', reference = '' } = fields;
		await runPayments(
			{
				resource: 'collection',
				operation: 'create',
				country: 'KE',
				amount,
				mobile: '+254712345678',
				callbackUrl,
				orderReference: reference,
			},
			{ credential },
		);
		const made = this.sandbox.state.transactions.find(({ ref }) => !before.has(ref));
		if (made === undefined) throw new Error('The collection was not created');
		return made;
	}

	/** What the customer does with a link. */
	async pay(reference: string, changes: { amount?: number } = {}): Promise<void> {
		const { status } = await call(`${this.sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			body: { outcome: 'success', ...changes },
		});
		expect(status).toBe(200);
	}

	async close(): Promise<void> {
		for (const each of this.open) await each.close();
		await this.tap.close();
		await this.sandbox.close();
	}
}

/** Payment links made by the action node. */
export const createLinks = async (
	fields: INodeParameters,
	credential: ICredentialDataDecryptedObject,
	options: Omit<Parameters<typeof runPayments>[1], 'credential'> = {},
) => {
	const shop = { country: 'KE', businessName: 'Shop', itemName: 'Tea' };
	const parameters = { resource: 'paymentLink', operation: 'create', ...shop, ...fields };
	await runPayments(parameters, { credential, ...options });
};

/** How the service says that it has this record. */
export const found = (data: unknown) => ({ success: true, message: 'Found.', data });

/** The record as a callback carries it. */
export const recordOf = (transaction: Transaction, changes: Record<string, unknown> = {}) => ({
	ref: transaction.ref,
	amount: String(transaction.amount),
	currency: transaction.currency,
	status: transaction.status,
	status_code: transaction.status_code,
	mobile: transaction.mobile,
	...changes,
});

export interface PostOptions {
	/** The order whose address is called, as the service does; without it, a stranger calls. */
	order?: string | null;
	headers?: Record<string, string>;
	/** Signed with this key, as the service would. */
	signWith?: string;
	method?: string;
	query?: string;
}

/** Sends a callback; a body that is no text is written as JSON. */
export async function post(
	{ url, credential }: Pick<Served, 'url' | 'credential'>,
	body: unknown,
	{ order, headers = {}, signWith, method = 'POST', query }: PostOptions = {},
): Promise<Answer> {
	const raw = typeof body === 'string' ? body : JSON.stringify(body);
	const search = query ?? (order === undefined ? '' : markedQuery(credential, order));
	const signature: Record<string, string> =
		signWith === undefined
			? {}
			: { 'x-signature': createHmac('sha256', signWith).update(raw).digest('hex') };
	const { status, text } = await call(search === '' ? url : `${url}?${search}`, {
		method,
		headers: { 'content-type': 'application/json', ...signature, ...headers },
		body: method === 'GET' || method === 'HEAD' ? undefined : raw,
	});
	return { status, json: parse(text) };
}

/** The run of a callback that is let in. */
export async function handled(
	host: Served,
	body: unknown,
	options?: PostOptions,
): Promise<TriggerHost['runs'][number]> {
	expect((await post(host, body, options)).status).toBe(200);
	await host.idle();
	return host.runs.at(-1)!;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Everything that a host keeps: items, runs and log. */
export const everythingOf = (host: TriggerHost): string =>
	JSON.stringify([host.stored, host.runs.map(({ run }) => run), host.log]);
