import type { FaultPlan } from './faults/rule.mts';
import {
	DEMO_INTEGRATIONS,
	resolveIntegration,
	type Integration,
	type IntegrationConfig,
} from './integrations.mts';
import { drawRecipe } from './protocol/drawRecipe.mts';
import type { SignatureRecipe } from './protocol/signature.mts';
import { switchesIn, type Switches } from './switches.mts';

export interface CallbackRetry {
	/** Deliveries tried before a callback is given up. */
	attempts: number;
	firstDelayMs: number;
	/** Each further pause is this many times the one before. */
	factor: number;
}

export interface SandboxOptions extends Partial<Switches> {
	/** 0 = a free one. */
	port?: number;
	host?: string;
	/** Refuse collections in the countries marked "Not Supported". */
	strict?: boolean;
	/** Errors for which the specification shows no HTTP status: 200, or 400 and 403 as v2 has. */
	errorStatus?: 'ok' | 'http';
	/** Answer with the whole line of the error table instead of the alternative that applies. */
	fullMessages?: boolean;
	listAuthentication?: 'bearer' | 'none';
	timestampToleranceSeconds?: number;
	/** From pending to the final state; Infinity = only by hand. */
	settleDelayMs?: number;
	/** How late the reply to the magic value "answers late" is. */
	lateReplyMs?: number;
	callbackRetry?: Partial<CallbackRetry>;
	callbackTimeoutMs?: number;
	/** The first is the default one. */
	integrations?: readonly IntegrationConfig[];
	/** How requests of the first integration are signed; a number is a seed that one is drawn with. */
	signature?: number | Partial<SignatureRecipe>;
	faultPlan?: FaultPlan | null;
	/** Requests kept in the log. */
	logLimit?: number;
	/** Address that payment links start with, where it differs from host and port. */
	publicUrl?: string | null;
	/** Where links, transactions and the rest are kept over a restart; null = only in memory. One sandbox per file. */
	stateFile?: string | null;
	/** Milliseconds since 1970. */
	clock?: () => number;
}

export interface Settings extends Required<
	Omit<SandboxOptions, 'integrations' | 'callbackRetry' | 'signature' | keyof Switches>
> {
	/** As the sandbox was started; what is in force now is in the world. */
	switches: Switches;
	integrations: readonly Integration[];
	callbackRetry: CallbackRetry;
}

export function resolveOptions(options: SandboxOptions = {}): Settings {
	const integrations = (options.integrations ?? DEMO_INTEGRATIONS).map(resolveIntegration);
	const [first] = integrations;
	if (first === undefined) throw new Error('The sandbox needs at least one integration');
	const { signature = {} } = options;
	first.signature = {
		...first.signature,
		...(typeof signature === 'number' ? drawRecipe(signature, first.secretKey) : signature),
	};
	for (const field of ['id', 'clientId'] as const) {
		const values = integrations.map((one) => one[field]);
		if (new Set(values).size < values.length)
			throw new Error(`Two integrations have the same ${field}: ${values.join(', ')}`);
	}
	return {
		port: options.port ?? 0,
		host: options.host ?? '127.0.0.1',
		switches: switchesIn(options),
		strict: options.strict ?? false,
		errorStatus: options.errorStatus ?? 'ok',
		fullMessages: options.fullMessages ?? false,
		listAuthentication: options.listAuthentication ?? 'bearer',
		timestampToleranceSeconds: options.timestampToleranceSeconds ?? 300,
		settleDelayMs: options.settleDelayMs ?? 1500,
		lateReplyMs: options.lateReplyMs ?? 3000,
		callbackRetry: { attempts: 5, firstDelayMs: 500, factor: 2, ...options.callbackRetry },
		callbackTimeoutMs: options.callbackTimeoutMs ?? 5000,
		integrations,
		faultPlan: options.faultPlan ?? null,
		logLimit: options.logLimit ?? 500,
		publicUrl: options.publicUrl ?? null,
		stateFile: options.stateFile ?? null,
		clock: options.clock ?? Date.now,
	};
}
