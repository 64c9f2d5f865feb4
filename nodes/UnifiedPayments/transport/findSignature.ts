import { isInErrorTable } from '../protocol/errorTable';
import { likelyRecipes, withSortedParams } from '../protocol/recipes';
import type { SignatureRecipe } from '../protocol/signing';
import type { Failure, Verdict } from './verdict';

/** Proxies in front of n8n give up after a minute. */
const LONGEST_MS = 50_000;

/** One name, so that its order does not matter, and two that are not in order. */
const ONE = '{"currency":"KES"}';
const UNSORTED = '{"wallet_account":1,"currency":"KES"}';

/** What the specification, and services like this one, say about a signature. */
const ABOUT_SIGNATURE = /not verified|signature|hmac|hash/i;
const ABOUT_A_LOCK = /lock|suspend|disabl|ban(?:ned)?\b|too many|attempt|limit|later|wait/i;

export type Search =
	| { kind: 'found'; recipe: SignatureRecipe; asked: number }
	| { kind: 'notFound'; asked: number }
	/** The signature holds for one parameter, and not for two. */
	| { kind: 'paramsUnclear'; asked: number }
	| { kind: 'tooSlow'; asked: number }
	| { kind: 'stopped'; asked: number; failure: Failure };

interface SearchTools {
	/** One request for the balance, which changes nothing, signed by this recipe. */
	ask(recipe: SignatureRecipe, paramsText: string): Promise<Verdict>;
	/** Between two requests. */
	pause(): Promise<void>;
	now(): number;
}

/** Whether a no may be about the signature, and says nothing of a lock. */
export const isAboutSignature = ({ kind, serviceMessage }: Failure): boolean =>
	serviceMessage === null
		? kind === 'notAuthorized'
		: ABOUT_SIGNATURE.test(serviceMessage) && !ABOUT_A_LOCK.test(serviceMessage);

/** A plain no of the specification that only somebody who was verified is told. */
const isBeyondSignature = ({ refusal, serviceMessage }: Failure): boolean =>
	refusal !== null &&
	serviceMessage !== null &&
	isInErrorTable(serviceMessage) &&
	/user not found/i.test(serviceMessage);

class Stop extends Error {
	constructor(readonly search: Search) {
		super();
	}
}

/**
 * Tries one recipe after another, and ends at the first that the service verifies. It goes on only as
 * long as the service says the same no: anything else, such as a limit or a lock, ends it.
 */
export async function findSignature(
	own: SignatureRecipe,
	secretKey: string,
	/** How a request by the credential's own recipe was refused; null when it was not. */
	refusal: Failure | null,
	tools: SearchTools,
): Promise<Search> {
	let asked = 0;
	const begun = tools.now();
	let usual = refusal;

	async function isVerified(recipe: SignatureRecipe, paramsText: string): Promise<boolean> {
		if (tools.now() - begun > LONGEST_MS) throw new Stop({ kind: 'tooSlow', asked });
		await tools.pause();
		asked++;
		const verdict = await tools.ask(recipe, paramsText);
		if (verdict.ok || isBeyondSignature(verdict.failure)) return true;
		const { failure } = verdict;
		usual ??= failure;
		const isTheSame = failure.kind === usual.kind && failure.status === usual.status;
		if (!isTheSame || !isAboutSignature(failure)) {
			throw new Stop({ kind: 'stopped', asked, failure });
		}
		return false;
	}

	/** Which way the parameters are written, for a recipe that holds where that does not matter. */
	async function settle(recipe: SignatureRecipe): Promise<Search> {
		if (!/\{params(?:_sorted)?\}/.test(recipe.template)) return { kind: 'found', recipe, asked };
		if (await isVerified(recipe, UNSORTED)) return { kind: 'found', recipe, asked };
		const byName = withSortedParams(recipe);
		if (await isVerified(byName, UNSORTED)) return { kind: 'found', recipe: byName, asked };
		return { kind: 'paramsUnclear', asked };
	}

	async function search(): Promise<Search> {
		if (refusal === null) return await settle(own);
		for (const recipe of likelyRecipes(secretKey)) {
			if (await isVerified(recipe, ONE)) return await settle(recipe);
		}
		return { kind: 'notFound', asked };
	}

	return await search().catch(endOf);
}

function endOf(stop: unknown): Search {
	if (stop instanceof Stop) return stop.search;
	throw stop;
}
