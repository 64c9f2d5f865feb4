import { isInErrorTable } from '../protocol/errorTable';
import { likelyRecipes, withSortedParams } from '../protocol/recipes';
import type { SignatureRecipe } from '../protocol/signing';
import type { Params } from './client';
import type { Failure, Verdict } from './verdict';

/** One name, so that its order does not matter, and two that are not in order. */
const ONE: Params = { currency: 'KES' };
export const UNSORTED: Params = { wallet_account: 1, currency: 'KES' };

/** Then at most two are left to find out how the parameters are written. */
const MOST_TRIED = 58;

export type Search =
	| { kind: 'found'; recipe: SignatureRecipe; asked: number }
	| { kind: 'notFound'; asked: number }
	/** The signature holds for one parameter, and not for two. */
	| { kind: 'paramsUnclear'; asked: number }
	/** The service gave another answer than the same no: a limit or a lock, perhaps. */
	| { kind: 'stopped'; asked: number; failure: Failure };

interface SearchTools {
	/** One request for the balance, which changes nothing, signed by this recipe. */
	ask(recipe: SignatureRecipe, params: Params): Promise<Verdict>;
	/** Between two requests. */
	pause(): Promise<void>;
}

/** As the specification says it. Other words may be about a lock. */
const NOT_VERIFIED = /request was not verified/i;

/** Whether a no may be about the signature. */
export const isAboutSignature = ({ kind, serviceMessage }: Failure): boolean =>
	serviceMessage === null
		? kind === 'notAuthorized'
		: isInErrorTable(serviceMessage) && NOT_VERIFIED.test(serviceMessage);

/** Only somebody whose signature was accepted is told that there is no such user. */
const isBeyondSignature = ({ refusal, serviceMessage }: Failure): boolean =>
	refusal !== null && serviceMessage !== null && /^user not found[.!]*$/i.test(serviceMessage);

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
	{ ask, pause }: SearchTools,
): Promise<Search> {
	let asked = 0;
	let usual = refusal;

	async function isVerified(recipe: SignatureRecipe, params: Params): Promise<boolean> {
		await pause();
		asked++;
		const verdict = await ask(recipe, params);
		if (verdict.ok || isBeyondSignature(verdict.failure)) return true;
		const { failure } = verdict;
		usual ??= failure;
		const isTheSame = failure.kind === usual.kind && failure.status === usual.status;
		if (isTheSame && isAboutSignature(failure)) return false;
		throw new Stop({ kind: 'stopped', asked, failure });
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
		for (const recipe of likelyRecipes(secretKey).slice(0, MOST_TRIED)) {
			if (await isVerified(recipe, ONE)) return await settle(recipe);
		}
		return { kind: 'notFound', asked };
	}

	return await search().catch((stop: unknown) => {
		if (stop instanceof Stop) return stop.search;
		throw stop;
	});
}
