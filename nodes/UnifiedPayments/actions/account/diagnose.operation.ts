import { countriesWithCurrency } from '../../countries/lookup';
import { propertiesOf, readFields } from '../../fields/field';
import { readOptionsField } from '../../fields/optionGroups';
import { flagOption } from '../../fields/optionKinds';
import type { RowOptions } from '../../fields/options';
import { amountFrom } from '../../payment/amount';
import { keepsMark, keptOf } from '../../payment/keptAddress';
import { LONGEST_SAFE_URL, withMark, writeMark } from '../../payment/mark';
import { readState, type ExtraStatuses } from '../../payment/state';
import { ENDPOINTS } from '../../protocol/endpoints';
import { isInErrorTable } from '../../protocol/errorTable';
import { linkInEntry } from '../../protocol/linkEntry';
import { isRecord, type Json } from '../../protocol/parse';
import { entriesOf, linkIn, referencesIn, type Reply } from '../../protocol/reply';
import { fresh } from '../../protocol/signing';
import type { Client } from '../../transport/client';
import { CallError } from '../../transport/errors';
import { isAboutSignature } from '../../transport/findSignature';
import { askForRecord } from '../../transport/status';
import type { Failure } from '../../transport/verdict';
import type { ReadOperation } from '../../rows/operation';

const FIELDS = {
	tryWithLink: flagOption(
		{
			displayName: 'Try With a Link',
			name: 'tryWithLink',
			description:
				'Whether to create one payment link of the smallest amount, in the name of the sender, and to look for it in the list. Nobody is charged unless the link is paid.',
		},
		false,
	),
};

type Holds = 'yes' | 'no' | 'cannotTell';

interface Finding {
	assumption: string;
	holds: Holds;
	/** Without secrets, and without anything about a customer. */
	seen: string;
	/** Where it is set; empty when it cannot be. */
	setting: string;
	advice: string;
}

/** A question, as it ended. */
type Asked<T> = { value: T } | { failure: Failure };

const asked = async <T>(question: Promise<T>): Promise<Asked<T>> =>
	await question.then((value) => ({ value }), failureIn);

function failureIn(error: unknown): { failure: Failure } {
	if (error instanceof CallError) return { failure: error.failure };
	throw error;
}

const isNo = ({ kind }: Failure): boolean => kind === 'refused' || kind === 'notAuthorized';

/** The service's words may be about a customer, so only those of the specification are shown. */
function said({ kind, status, serviceMessage, code }: Failure): string {
	const http = status === null ? '' : ` (HTTP ${status})`;
	if (serviceMessage !== null && isInErrorTable(serviceMessage)) {
		return `The service said: ${serviceMessage}${http}`;
	}
	return isNo({ kind } as Failure)
		? `The service declined in other words than its documentation has${http}`
		: `No answer that can be used: ${code ?? kind}${http}`;
}

const NAME = /^[A-Za-z_]{1,40}$/;

/** Names of fields, never their values. A name that is none is not shown either. */
const namesIn = (record: Json): string =>
	Object.keys(record)
		.map((name) => (NAME.test(name) ? name : '…'))
		.join(', ') || 'no fields';

/** `1,234.50` as `"0,000.00"`: how it is written, and not how much it is. */
const formOf = (value: unknown): string =>
	JSON.stringify(value)
		.replace(/\d/g, '0')
		.replace(/[^\d.,"' +-]/g, 'x')
		.slice(0, 30);

const finding = (
	assumption: string,
	holds: Holds,
	seen: string,
	[setting, advice]: readonly [setting: string, advice: string] = ['', ''],
): Finding => ({ assumption, holds, seen, setting, advice: holds === 'no' ? advice : '' });

/** Two that are not in order: a service that sorts them before it checks would refuse these. */
const TWO_PARAMS = { wallet_account: 1, currency: 'KES' };

/** How many links are looked at for one that was paid. */
const MOST_ASKED = 5;

export const diagnose: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Diagnose',
		value: 'diagnose',
		action: 'Diagnose account',
		description:
			'Look at what the service does where its documentation is silent. Changes nothing.',
	},

	properties: [...propertiesOf(FIELDS), readOptionsField],

	async run(raw, options, client) {
		const { tryWithLink } = readFields(FIELDS, raw);
		const token = await asked(client.token(options));
		const balance = await asked(client.query(ENDPOINTS.balance, {}, options, 'the balance'));
		const two = await asked(client.query(ENDPOINTS.balance, TWO_PARAMS, options, 'the balance'));
		const own = tryWithLink ? await makeLink(balance, options, client) : null;
		const list = await asked(client.list(ENDPOINTS.listPaymentLinks, options, 'the links'));
		const entries = 'value' in list ? (entriesOf(list.value) ?? []) : [];
		const records = await recordsOf(entries, options, client);
		return [
			ofToken(token),
			ofSignature(balance, two),
			await ofList(list, client),
			...(own === null ? [] : [ofReply(own)]),
			...ofEntries(entries),
			await ofCallbackUrl(entries, own, client),
			await ofOwnReference(records, options, client),
			ofStates(records, (await client.credential()).statuses),
			ofNumbers(balance, records),
			...(await ofNoticed(client)),
		].map((each): Json => ({ ...each }));
	},
};

function ofToken(token: Asked<unknown>): Finding {
	const about = "'Client ID' and 'Secret Key' give a token";
	if ('value' in token) return finding(about, 'yes', 'A token was given');
	return finding(about, isNo(token.failure) ? 'no' : 'cannotTell', said(token.failure), [
		"Credential: 'Client ID', 'Secret Key', 'Auth URL'",
		'Copy both again from the application of the service.',
	]);
}

function ofSignature(balance: Asked<Reply>, two: Asked<Reply>): Finding {
	const about = 'Requests are signed as the service expects it';
	const where = [
		"Credential: 'Signature Template', 'Signature Algorithm', 'Signature Encoding'",
		"Turn on 'Find Signature Settings' in the credential, and test it. It says what to enter.",
	] as const;
	const [first, second] = [balance, two].map((each) => ('value' in each ? null : each.failure));
	if (first && isNo(first) && isAboutSignature(first))
		return finding(about, 'no', said(first), where);
	if (second && isNo(second) && isAboutSignature(second)) {
		return finding(
			about,
			'no',
			`Accepted without parameters, and not with two. ${said(second)}`,
			where,
		);
	}
	if ('value' in balance) return finding(about, 'yes', 'A signed request was accepted', where);
	return finding(about, 'cannotTell', said(balance.failure), where);
}

async function ofList(list: Asked<Reply>, client: Client): Promise<Finding> {
	const { listAuthentication } = await client.credential();
	const about = `The list of links is given to requests ${listAuthentication === 'bearer' ? 'with a token' : 'without a proof'}`;
	const where = [
		"Credential: 'List Authentication'",
		`Set it to '${listAuthentication === 'bearer' ? 'None' : 'Bearer Token'}', or ask the service how the list is authenticated.`,
	] as const;
	if (!('value' in list)) {
		return finding(about, isNo(list.failure) ? 'no' : 'cannotTell', said(list.failure), where);
	}
	const entries = entriesOf(list.value);
	return entries === null
		? finding(about, 'cannotTell', "The reply has no list in 'data'", where)
		: finding(about, 'yes', `A list with ${entries.length} links was given`, where);
}

/** What the newest entry says of itself, by the names of its fields. */
function ofEntries(entries: readonly Json[]): Finding[] {
	const address = 'A listed link has its address under a name that is known';
	const reference = 'A listed link has a reference under a name that is known';
	const [entry] = entries;
	if (entry === undefined) {
		const none = 'There is no link in the list yet';
		return [finding(address, 'cannotTell', none), finding(reference, 'cannotTell', none)];
	}
	const names = `Its fields: ${namesIn(entry)}`;
	const report = ['', 'Send this line to the makers of this node.'] as const;
	return [
		finding(
			address,
			entries.some((each) => linkInEntry(each) !== null) ? 'yes' : 'no',
			names,
			report,
		),
		finding(
			reference,
			entries.some((each) => referencesIn(each).length > 0) ? 'yes' : 'no',
			names,
			report,
		),
	];
}

interface OwnLink {
	itemName: string;
	callbackUrl: string;
	made: Asked<Reply>;
}

/** One link of the smallest amount. Its callback URL leads nowhere, and is as long as one may be. */
async function makeLink(
	balance: Asked<Reply>,
	options: RowOptions,
	client: Client,
): Promise<OwnLink> {
	const credential = await client.credential();
	const wallets = 'value' in balance ? (entriesOf(balance.value) ?? []) : [];
	const [country] = [...wallets.map((each) => String(each.currency)), 'KES'].flatMap(
		countriesWithCurrency,
	);
	const itemName = `Test link ${fresh(Date.now()).salt.slice(0, 8)}`;
	const currency = country?.currency ?? 'KES';
	const mark = writeMark(
		credential,
		{ orderReference: null, amount: '1', currency },
		{ key: itemName, by: 'values' },
		{ workflowId: '', nodeId: '' },
	);
	const address = 'https://example.com/unified-payments/';
	const padding = LONGEST_SAFE_URL - withMark(address, mark).length;
	const callbackUrl = withMark(address + 'x'.repeat(padding), mark);
	const verdict = await client.create(
		ENDPOINTS.createPaymentLink,
		{
			business_name: credential.identity.sender,
			item_name: itemName,
			amount: '1',
			currency,
			country_id: country?.id ?? 1,
			callback_url: callbackUrl,
		},
		options,
	);
	const made = verdict.ok ? { value: verdict.reply } : { failure: verdict.failure };
	return { itemName, callbackUrl, made };
}

function ofReply({ made }: OwnLink): Finding {
	const about = 'The reply to a create holds the link';
	if (!('value' in made))
		return finding(about, 'cannotTell', `No link was made. ${said(made.failure)}`);
	const { data } = made.value;
	const names = `Fields of its data: ${namesIn(isRecord(data) ? data : {})}`;
	return finding(about, linkIn(made.value) === null ? 'no' : 'yes', names, [
		"Node: 'Callback URL'",
		'Give every link a callback URL, so that it is found in the list.',
	]);
}

async function ofCallbackUrl(
	entries: readonly Json[],
	own: OwnLink | null,
	client: Client,
): Promise<Finding> {
	const about = 'Callback URLs are kept whole, with their query';
	const where = [
		"Credential: 'Order in Callback URL'",
		'Turn it off if the service refuses or cuts such addresses. Orders of payments are then not known.',
	] as const;
	const credential = await client.credential();
	if (own === null) {
		return entries.some((each) => keepsMark(each, credential))
			? finding(about, 'yes', 'A listed link has a callback URL of this account', where)
			: finding(about, 'cannotTell', "No listed link shows one. Turn on 'Try With a Link'.", where);
	}
	const entry = entries.find((each) => JSON.stringify(each).includes(own.itemName));
	if (entry === undefined)
		return finding(about, 'cannotTell', 'The new link is not in the list', where);
	switch (keptOf(entry, own.callbackUrl)) {
		case 'whole':
			return finding(about, 'yes', `All ${LONGEST_SAFE_URL} characters are in the list`, where);
		case 'part':
			return finding(about, 'no', 'The list has a part of it', where);
		case 'nothing':
			return finding(about, 'cannotTell', 'The list does not show callback URLs', where);
	}
}

/** The records of payments of the links that are listed first. */
async function recordsOf(
	entries: readonly Json[],
	options: RowOptions,
	client: Client,
): Promise<Json[]> {
	const references = entries.flatMap((each) => referencesIn(each).slice(0, 1)).slice(0, MOST_ASKED);
	const records: Json[] = [];
	for (const reference of references) {
		const found = await asked(askForRecord(client, reference, 'payin', options));
		if (!('value' in found)) break;
		if (found.value !== null) records.push(found.value);
	}
	return records;
}

async function ofOwnReference(
	records: readonly Json[],
	options: RowOptions,
	client: Client,
): Promise<Finding> {
	const about = 'The status is also given by the order reference';
	const named = records.flatMap(({ third_party_reference_1: name }) =>
		typeof name === 'string' && name !== '' ? [name] : [],
	);
	const [name] = named;
	if (name === undefined) {
		return finding(about, 'cannotTell', 'No payment that was looked at states an order reference');
	}
	const found = await asked(askForRecord(client, name, 'payin', options));
	if (!('value' in found)) return finding(about, 'cannotTell', said(found.failure));
	return found.value === null
		? finding(about, 'no', 'A payment is not found by the order reference that it states', [
				'',
				'A collection whose answer did not come cannot be looked up: look for it in the application of the service.',
			])
		: finding(about, 'yes', 'A payment was found by it');
}

function ofStates(records: readonly Json[], statuses: ExtraStatuses): Finding {
	const about = 'The words for the state of a payment are known';
	const read = records.map((record) => readState([record], statuses));
	if (read.length === 0) return finding(about, 'cannotTell', 'No payment was found to look at');
	const words = [...new Set(read.map(({ status }) => status ?? 'none'))].map((word) =>
		/^[A-Za-z _-]{1,30}$/.test(word) ? word : '…',
	);
	const isKnown = read.every(({ state }) => state !== 'other');
	return finding(about, isKnown ? 'yes' : 'no', `Words: ${words.join(', ')}`, [
		"Credential: 'Success Statuses', 'Failure Statuses'",
		'Enter the words that are not known.',
	]);
}

function ofNumbers(balance: Asked<Reply>, records: readonly Json[]): Finding {
	const about = 'Numbers can be read';
	const wallets = 'value' in balance ? (entriesOf(balance.value) ?? []) : [];
	const values = [...wallets, ...records]
		.flatMap(({ amount, fee, balance: left }) => [amount, fee, left])
		.filter((value) => value !== undefined && value !== null && value !== '');
	if (values.length === 0) return finding(about, 'cannotTell', 'No number was found to look at');
	const forms = [...new Set(values.map(formOf))].slice(0, 5).join(' ');
	const isReadable = values.every((value) => amountFrom(value) !== null);
	return finding(about, isReadable ? 'yes' : 'no', `Written like ${forms}`, [
		'',
		'Send this line to the makers of this node.',
	]);
}

const SECONDS_OFF = 60;

async function ofNoticed(client: Client): Promise<Finding[]> {
	const { secondsAhead, slowedDown, limits } = await client.noticed();
	const clock = 'The clocks of this machine and of the service agree';
	const limit = 'The service sets no limit to the number of requests';
	const headers = Object.entries(limits).map(([name, value]) => `${name}: ${value.slice(0, 40)}`);
	return [
		secondsAhead === null
			? finding(clock, 'cannotTell', 'The service does not tell its time')
			: finding(
					clock,
					Math.abs(secondsAhead) <= SECONDS_OFF ? 'yes' : 'no',
					`This machine is ${Math.abs(secondsAhead)} seconds ${secondsAhead < 0 ? 'behind' : 'ahead'}`,
					['', 'Correct the clock of the machine that n8n runs on.'],
				),
		finding(
			limit,
			slowedDown > 0 || headers.length > 0 ? 'no' : 'cannotTell',
			headers.join(', ') || (slowedDown > 0 ? 'It asked to slow down' : 'None was met'),
			["Node: 'Concurrency', 'Requests per Second'", 'Stay below the limit.'],
		),
	];
}
