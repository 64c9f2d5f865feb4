import { ADVICE } from './advice';
import { withoutEnd, parseUrl, readBoolean } from './parse';
import { SetupError } from './explainedError';
import {
	checkTemplate,
	SIGNATURE_ALGORITHMS,
	SIGNATURE_DEFAULTS,
	SIGNATURE_ENCODINGS,
	type Identity,
	type SignatureRecipe,
} from './signing';
import { z } from 'zod';

/** The first is the default. */
export const MOBILE_FORMATS = ['international', 'e164', 'asEntered'] as const;
export type MobileFormat = (typeof MOBILE_FORMATS)[number];

/** How one service wants things, which the specification leaves open. Set once, in the credential. */
export interface ServiceSettings {
	mobileFormat: MobileFormat;
	/** Amounts of collections, in countries that the specification marks with "2 dp". */
	twoDecimals: boolean;
	/** Collections to countries that are marked as not supported. */
	allowUnsupportedCountry: boolean;
	orderInCallbackUrl: boolean;
	/** Names under which the service may give its own reference; a dot reaches inside. */
	referenceFields: readonly string[];
	/** Names under which it may give the address where the customer pays. */
	linkFields: readonly string[];
	/** Words of `status` that mean paid. */
	successStatuses: readonly string[];
	/** Words of `status` that mean not paid. */
	failureStatuses: readonly string[];
	/** Whole messages that always mean that nothing was created, beside the error table. */
	finalRefusals: readonly string[];
}

/** What we assume of a service until its users say otherwise. An emptied list means that nothing is known. */
export const DEFAULT_LISTS = {
	referenceFields: 'ref, reference',
	linkFields: 'link, payment_link, payment_url, checkout_url, url',
	successStatuses: 'success, successful, completed, paid',
	failureStatuses: 'failed, declined, rejected, cancelled, canceled, expired, reversed',
	finalRefusals: '',
} as const;

/** An expression can give anything. What is neither yes nor no is refused, never guessed. */
const flag = (whenEmpty: boolean) =>
	z
		.unknown()
		.nullish()
		.transform((given) => ((given ?? '') === '' ? whenEmpty : readBoolean(given)))
		.refine((given): given is boolean => given !== null, { message: 'must be true or false' });

const partsIn = (given: string, separator: string | RegExp): string[] =>
	given
		.split(separator)
		.map((part) => part.trim())
		.filter((part) => part !== '');

/** "done, credited". What was never saved is the default; what was emptied is an empty list. */
const list = (whenUnset: string) =>
	z
		.string({ message: 'is not text' })
		.nullish()
		.transform((given) => partsIn(given ?? whenUnset, ','));

export const CREDENTIAL_NAME = 'unifiedPaymentsApi';

const SIGNATURE_SOURCES = ['local', 'endpoint'] as const;
const LIST_AUTHENTICATIONS = ['bearer', 'none'] as const;
export const DEFAULT_API_KEY_HEADER = 'X-API-Key';

/** What the user saved, checked once, so that no later code has to check it again. */
export interface Credential extends ServiceSettings {
	baseUrl: string;
	authUrl: string;
	identity: Identity;
	recipe: SignatureRecipe;
	signatureSource: (typeof SIGNATURE_SOURCES)[number];
	listAuthentication: (typeof LIST_AUTHENTICATIONS)[number];
	/** Null when no key is set: then no header is sent. */
	apiKey: { header: string; value: string } | null;
	/** The key before the last change, for codes that were made with it. Nothing is signed with it. */
	previousSecretKey: string | null;
}

/** What tells accounts apart, and makes a code that only its owner can make. */
export type Account = Pick<Credential, 'baseUrl' | 'identity'> &
	Partial<Pick<Credential, 'previousSecretKey'>>;

/** The same for every way to write an address: http or https, case, default port, last slash. */
function sameAddress(baseUrl: string): string {
	const url = parseUrl(baseUrl);
	return url ? url.host + url.pathname.replace(/\/$/, '') : baseUrl;
}

/** Two credentials with the same address and client ID are one account. */
export function accountOf(account: Account): readonly [string, string] {
	const known = accounts.get(account) ?? [sameAddress(account.baseUrl), account.identity.clientId];
	accounts.set(account, known);
	return known;
}

/** All rows of an account share its object. */
const accounts = new WeakMap<Account, readonly [string, string]>();

type SavedCredential = Readonly<Record<string, unknown>>;

/** A lone surrogate has no UTF-8 form, so what is sent would not be what was signed. */
const LONE_SURROGATE = /\p{Surrogate}/u;
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Each message completes "The credential's 'Client ID' …". An expression can give anything. */
const text = z
	.string({ message: 'is not text' })
	.nullish()
	.transform((given) => given ?? '');

const requiredText = text
	.refine((given) => given.trim() !== '', { message: 'is empty' })
	.refine((given) => !LONE_SURROGATE.test(given), {
		message: 'holds half of a character. Type it again.',
	});

const isAddress = (given: string): boolean => {
	const url = parseUrl(given);
	return (
		url !== null &&
		/^https?:/.test(url.protocol) &&
		`${url.search}${url.hash}${url.username}${url.password}` === ''
	);
};

const withoutLastSlash = (given: string): string => withoutEnd(given.trim(), '/');

const NOT_AN_ADDRESS = {
	message: `is not a plain http or https address. ${ADVICE.wholeAddress}`,
};

const choice = <const Words extends readonly [string, ...string[]]>(allowed: Words) =>
	text
		.transform((given): string => given || allowed[0])
		.refine((given): given is Words[number] => allowed.includes(given), {
			message: `must be one of ${allowed.join(', ')}`,
		});

const savedSchema = z.object({
	baseUrl: requiredText.transform(withoutLastSlash).refine(isAddress, NOT_AN_ADDRESS),
	authUrl: text
		.transform(withoutLastSlash)
		.refine((given) => given === '' || isAddress(given), NOT_AN_ADDRESS),
	clientId: requiredText.transform((given) => given.trim()),
	sender: requiredText,
	secretKey: requiredText,
	signatureSource: choice(SIGNATURE_SOURCES),
	signatureTemplate: text,
	signatureAlgorithm: choice(SIGNATURE_ALGORITHMS),
	signatureEncoding: choice(SIGNATURE_ENCODINGS),
	listAuthentication: choice(LIST_AUTHENTICATIONS),
	apiKey: text,
	apiKeyHeader: text
		.transform((given) => given.trim() || DEFAULT_API_KEY_HEADER)
		.refine((given) => HEADER_NAME.test(given), { message: 'is not the name of an HTTP header' }),
	mobileFormat: choice(MOBILE_FORMATS),
	twoDecimals: flag(false),
	allowUnsupportedCountry: flag(false),
	orderInCallbackUrl: flag(true),
	referenceFields: list(DEFAULT_LISTS.referenceFields),
	linkFields: list(DEFAULT_LISTS.linkFields),
	successStatuses: list(DEFAULT_LISTS.successStatuses),
	failureStatuses: list(DEFAULT_LISTS.failureStatuses),
	finalRefusals: text.transform((given) => partsIn(given, /\r?\n/)),
	// Blank counts as not set: anybody could make codes with an empty key.
	previousSecretKey: text.transform((given) => (given.trim() === '' ? null : given)),
});

type SavedField = keyof z.output<typeof savedSchema>;

/** What the editor calls each field. */
const LABELS: Readonly<Record<SavedField, string>> = {
	baseUrl: 'Base URL',
	authUrl: 'Auth URL',
	clientId: 'Client ID',
	sender: 'Sender',
	secretKey: 'Secret Key',
	signatureSource: 'Signature Source',
	signatureTemplate: 'Signature Template',
	signatureAlgorithm: 'Signature Algorithm',
	signatureEncoding: 'Signature Encoding',
	listAuthentication: 'List Authentication',
	apiKey: 'API Key',
	apiKeyHeader: 'API Key Header',
	mobileFormat: 'Mobile Format',
	twoDecimals: 'Two Decimals',
	allowUnsupportedCountry: 'Allow Unsupported Country',
	orderInCallbackUrl: 'Order in Callback URL',
	referenceFields: 'Reference Fields',
	linkFields: 'Link Fields',
	successStatuses: 'Success Statuses',
	failureStatuses: 'Failure Statuses',
	finalRefusals: 'Final Refusals',
	previousSecretKey: 'Previous Secret Key',
};

function parseCredential(saved: SavedCredential): Credential {
	const read = savedSchema.safeParse(saved);
	if (!read.success) {
		const { path, message } = read.error.issues[0]!;
		throw new SetupError(`The credential's '${LABELS[path[0] as SavedField]}' ${message}`);
	}
	const { data } = read;
	return {
		baseUrl: data.baseUrl,
		authUrl: data.authUrl || data.baseUrl,
		identity: { clientId: data.clientId, sender: data.sender, secretKey: data.secretKey },
		recipe: {
			template: checkTemplate(data.signatureTemplate || SIGNATURE_DEFAULTS.template),
			algorithm: data.signatureAlgorithm,
			encoding: data.signatureEncoding,
		},
		signatureSource: data.signatureSource,
		listAuthentication: data.listAuthentication,
		apiKey: data.apiKey === '' ? null : { header: data.apiKeyHeader, value: data.apiKey },
		previousSecretKey: data.previousSecretKey,
		mobileFormat: data.mobileFormat,
		twoDecimals: data.twoDecimals,
		allowUnsupportedCountry: data.allowUnsupportedCountry,
		orderInCallbackUrl: data.orderInCallbackUrl,
		referenceFields: data.referenceFields,
		linkFields: data.linkFields,
		successStatuses: data.successStatuses,
		failureStatuses: data.failureStatuses,
		finalRefusals: data.finalRefusals,
	};
}

const alreadyRead = new WeakMap<SavedCredential, Credential>();

/**
 * The one reader of a saved credential; throws a SetupError that names the field. n8n gives
 * the very same object to all requests of a run, so it is parsed once.
 */
export function readCredential(saved: SavedCredential): Credential {
	const credential = alreadyRead.get(saved) ?? parseCredential(saved);
	alreadyRead.set(saved, credential);
	return credential;
}

/** What must never be shown, also of a credential that cannot be used. */
export const secretsIn = ({ secretKey, previousSecretKey, apiKey }: SavedCredential): unknown[] => [
	secretKey,
	previousSecretKey,
	apiKey,
];
