import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Integration } from '../integrations.mts';
import { issuesOf } from '../protocol/envelope.mts';
import { verify, type Evidence, type Reason } from '../protocol/verify.mts';
import type { World } from '../world.mts';
import { refusal, type Failure, type Operation } from './messages.mts';

export interface ApiRequest {
	headers: IncomingHttpHeaders;
	/** The body's text, exactly as received. */
	body: string;
	json: unknown;
}

export interface Answer {
	status: number;
	body: Record<string, unknown>;
	integration?: string | null;
	evidence?: Evidence | null;
	/** For the log: what exactly was wrong, where the documented message is vague. */
	note?: string | null;
	/** For the log: the order reference of the payment this is about. */
	order?: string | null;
	/** The reply waits for it. */
	before?: Promise<unknown>;
}

/** Only decides what to answer. Sending the answer, or a fault in its place, is up to the route. */
export interface Endpoint {
	/** Short name, for fault rules. */
	name: string;
	method: 'GET' | 'POST';
	path: string;
	handle(request: ApiRequest, world: World): Answer;
	/** The body of a refusal in this endpoint's format, also for errors before `handle` is called. */
	refusalBody(message: string): Record<string, unknown>;
}

/** Something about the params is not acceptable; `note` goes to the log, the documented message to the client. */
export class Refused {
	constructor(
		readonly failure: Failure,
		readonly note: string,
	) {}
}

export const plainRefusal = (message: string) => ({ success: false, message });

export function refusalAnswer(
	world: World,
	operation: Operation,
	failure: Failure,
	refusalBody: Endpoint['refusalBody'] = plainRefusal,
): Answer {
	const { status, message } = refusal(operation, failure, world.settings);
	return { status, body: refusalBody(inOwnWords(world, operation, failure) ?? message) };
}

/** What the switch says in place of the table's words for what is wrong with the values of a create. */
function inOwnWords({ switches }: World, operation: Operation, failure: Failure): string | null {
	const isOfValues = failure === 'country' || failure === 'transaction';
	const isCreate = operation === 'linkCreate' || operation === 'collections';
	return isCreate && isOfValues && switches.refusal !== 'documented' ? switches.refusal : null;
}

const FAILURE_OF: Record<Reason, Failure> = {
	malformed_envelope: 'verification',
	unknown_sender: 'integration',
	client_id_mismatch: 'client',
	timestamp_out_of_tolerance: 'verification',
	signature_mismatch: 'verification',
	api_key_mismatch: 'verification',
};

interface SignedSpec<Params> {
	name: string;
	path: string;
	operation: Operation;
	params: z.ZodType<Params, z.ZodTypeDef, unknown>;
	/** What is said when `params` are not as specified. */
	badParams: Failure;
	refusalBody?: Endpoint['refusalBody'];
	/** A further check of the request, after the signature. */
	guard?(request: ApiRequest, integration: Integration): string | null;
	run(params: Params, integration: Integration, world: World): Answer | Refused;
}

/** What all signed POST endpoints have in common: verify, check the account and the params, then run with the parsed params. */
export function signedEndpoint<Params>(spec: SignedSpec<Params>): Endpoint {
	const { name, path, operation, refusalBody = plainRefusal } = spec;
	const refuse = (
		world: World,
		evidence: Evidence,
		failure: Failure,
		note: string | null = null,
	): Answer => ({
		...refusalAnswer(world, operation, failure, refusalBody),
		integration: evidence.integration?.id ?? null,
		evidence,
		note,
	});
	const handle = (request: ApiRequest, world: World): Answer => {
		const { settings } = world;
		const verification = verify(request.json, request.body, Math.floor(settings.clock() / 1000), {
			integrations: settings.integrations,
			toleranceSeconds: settings.timestampToleranceSeconds,
		});
		const { evidence } = verification;
		if (!verification.ok) return refuse(world, evidence, FAILURE_OF[verification.reason]);
		const { integration } = verification;
		const detail = spec.guard?.(request, integration) ?? null;
		if (detail !== null) {
			evidence.reason = 'api_key_mismatch';
			evidence.detail = detail;
			return refuse(world, evidence, 'verification');
		}
		if (integration.account === 'userMissing') return refuse(world, evidence, 'user');
		if (integration.account === 'serviceUserMissing') return refuse(world, evidence, 'serviceUser');
		const params = spec.params.safeParse(verification.params);
		if (!params.success) return refuse(world, evidence, spec.badParams, issuesOf(params.error));
		const answer = spec.run(params.data, integration, world);
		if (answer instanceof Refused) return refuse(world, evidence, answer.failure, answer.note);
		answer.integration = integration.id;
		answer.evidence = evidence;
		return answer;
	};
	return { name, method: 'POST', path, refusalBody, handle };
}
