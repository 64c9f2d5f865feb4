import { countriesWithCurrency } from '../../countries/lookup';
import { callbackUrls } from '../../fields/callbackUrl';
import type { RowOptions } from '../../fields/options';
import { OWN_REFERENCE } from '../../payment/compare';
import { linkIn, linkOf } from '../../payment/link';
import { jsonOf, markWithin, writeMark } from '../../payment/mark';
import { readState } from '../../payment/state';
import type { Credential } from '../../protocol/credential';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { Json } from '../../protocol/parse';
import {
	entriesOf,
	readReference,
	referenceIn,
	referenceOf,
	type Reply,
} from '../../protocol/reply';
import { fresh } from '../../protocol/signing';
import { foldedSentence } from '../../protocol/words';
import type { Client } from '../../transport/client';
import { askForRecord } from '../../transport/status';
import { asked, fieldsIn, finding, namesIn, said, type Asked, type Finding } from './finding';

/** A link that was made to look what becomes of it. */
export interface OwnLink {
	itemName: string;
	callbackUrl: string;
	made: Asked<Reply>;
}

/** A name that is reserved for nobody, so no record of a payment reaches a stranger. */
const NOWHERE = 'https://nobody.invalid/unified-payments';

/** One link of the smallest amount. */
export async function makeLink(
	balance: Asked<Reply>,
	given: string | undefined,
	options: RowOptions,
	client: Client,
): Promise<OwnLink> {
	const credential = await client.credential();
	const wallets = 'value' in balance ? (entriesOf(balance.value) ?? []) : [];
	const currencies = [...wallets.map((each) => String(each.currency)), 'KES'];
	const { id, currency } = currencies.flatMap(countriesWithCurrency)[0]!;
	const itemName = `Test link ${fresh(Date.now()).salt.slice(0, 8)}`;
	const payment = {
		kind: 'link',
		orderReference: itemName.replaceAll(' ', '-'),
		amount: '1',
		currency,
		key: { key: itemName, by: 'orderReference', values: null },
		isOneOfSeveral: false,
	} as const;
	const mark = writeMark(credential, payment, { workflowId: '', nodeId: '' });
	const callbackUrl = callbackUrls(given ?? NOWHERE, mark).sent;
	const params = {
		business_name: credential.identity.sender,
		item_name: itemName,
		amount: '1',
		currency,
		country_id: id,
		callback_url: callbackUrl,
	};
	const verdict = await client.create(ENDPOINTS.createPaymentLink, params, options);
	const made = verdict.ok ? { value: verdict.reply } : { failure: verdict.failure };
	return { itemName, callbackUrl, made };
}

export const ofCreate = ({ itemName, made }: OwnLink): Finding =>
	'value' in made
		? finding('create', 'yes', `The link '${itemName}' was made`)
		: finding('create', 'cannotTell', said(made.failure), 'runAgain');

const entryOf = ({ itemName }: OwnLink, entries: readonly Json[]): Json | undefined =>
	entries.find((each) => jsonOf(each).includes(itemName));

/** What the service said of links: in the reply to our own, and in the entries, our own first. */
export function saidOfLinks(own: OwnLink | null, entries: readonly Json[]): Json[] {
	const entry = own && entryOf(own, entries);
	const reply = own && 'value' in own.made ? [own.made.value.body] : [];
	return [...reply, ...(entry ? [entry] : []), ...entries.filter((each) => each !== entry)];
}

/** What is asked for at most, to find a payment. */
const MOST_ASKED = 10;

/** Records of payments, and the name of the field by which they were found, if it is not known yet. */
export async function recordsOf(
	said: readonly Json[],
	options: RowOptions,
	client: Client,
): Promise<{ records: Json[]; field: string | null }> {
	const account = await client.credential();
	const known = said.flatMap((each) => referenceIn(each, account) ?? []);
	const ids = [
		...known.map((id) => ({ name: null, id })),
		...(known.length > 0 ? [] : candidatesIn(said)),
	];
	const records: Json[] = [];
	for (const { name, id } of ids.slice(0, MOST_ASKED)) {
		const found = await asked(askForRecord(client, id, 'payin', options));
		if (!('value' in found)) break;
		if (found.value === null) continue;
		records.push(found.value);
		if (name !== null) return { records, field: name };
	}
	return { records, field: null };
}

/** What may be a reference: a value that no other link has. By the name of its field, then by link. */
function candidatesIn(said: readonly Json[]): Array<{ name: string; id: string }> {
	const all = said.slice(0, 3).flatMap((each) =>
		fieldsIn(each).flatMap(([name, value], place) => {
			const id = readReference(value);
			return id === null || /^https?:/i.test(id) ? [] : [{ name, id, place }];
		}),
	);
	return all
		.filter(({ id }) => all.filter((each) => each.id === id).length === 1)
		.sort((one, other) => one.place - other.place);
}

const withName = (list: readonly string[], name: string): string => [...list, name].join(', ');

export function ofReference(
	own: OwnLink | null,
	links: readonly Json[],
	field: string | null,
	account: Credential,
): Finding {
	const names = `Fields: ${namesIn(links.slice(0, 3))}`;
	if (field !== null) {
		const enter = { 'Reference Fields': withName(account.referenceFields, field) };
		return finding('reference', 'no', `A payment was found by '${field}'`, 'enter', enter);
	}
	const isInReply = own !== null && 'value' in own.made && referenceOf(own.made.value, account);
	if (isInReply || links.some((each) => referenceIn(each, account) !== null)) {
		return finding('reference', 'yes', names);
	}
	return links.length === 0
		? finding('reference', 'cannotTell', 'No link was seen', 'tryWithLink')
		: finding('reference', 'cannotTell', names, 'askForReference');
}

/** Documented fields of a link that hold other addresses. */
const OTHER_ADDRESSES = ['callback_url', 'redirection_url', 'logo'];

export function ofLink(own: OwnLink | null, links: readonly Json[], account: Credential): Finding {
	const callbackUrl = own?.callbackUrl ?? NOWHERE;
	const isInReply =
		own !== null &&
		'value' in own.made &&
		linkOf(own.made.value, account, { callback_url: callbackUrl }) !== null;
	if (isInReply) return finding('link', 'yes', 'The reply to a create holds it');
	if (links.some((each) => linkIn(each, account) !== null)) {
		return finding('link', 'yes', 'The list holds it');
	}
	const [start = ''] = callbackUrl.split('?');
	const addresses = links
		.flatMap((each) => fieldsIn(each))
		.filter(([name, value]) => {
			const isOther = OTHER_ADDRESSES.includes(name.slice(name.lastIndexOf('.') + 1));
			const text = typeof value === 'string' ? value : '';
			return !isOther && /^https?:\/\//i.test(text) && !text.startsWith(start);
		})
		.map(([name]) => name);
	const [name] = addresses;
	if (name !== undefined) {
		const enter = { 'Link Fields': withName(account.linkFields, name) };
		return finding('link', 'no', `An address stands under '${name}'`, 'enterIfAddress', enter);
	}
	const seen = links.length === 0 ? 'No link was seen' : 'No address of a page was seen';
	return finding('link', 'cannotTell', seen, own === null ? 'tryWithLink' : undefined);
}

export function ofCallbackUrl(
	own: OwnLink | null,
	entries: readonly Json[],
	account: Credential,
): Finding {
	const isKept = (each: Json) => markWithin(account, each).is === 'valid';
	if (own === null) {
		return entries.some(isKept)
			? finding('callbackUrl', 'yes', 'A listed link has one with our mark')
			: finding('callbackUrl', 'cannotTell', 'No listed link has one', 'tryWithLink');
	}
	const entry = entryOf(own, entries);
	if (entry === undefined) {
		return finding('callbackUrl', 'cannotTell', 'The new link is not in the list', 'runAgain');
	}
	if (isKept(entry)) return finding('callbackUrl', 'yes', 'The list has it as it was sent');
	const [start = ''] = own.callbackUrl.split('?');
	return jsonOf(entry).includes(start)
		? finding('callbackUrl', 'no', 'The list has a part of it', 'urlsCut')
		: finding('callbackUrl', 'cannotTell', 'The list does not show it');
}

export function ofStates(records: readonly Json[], account: Credential): Finding {
	if (records.length === 0) return finding('states', 'cannotTell', 'No payment was found', 'payIt');
	const read = records.map((record) => readState(record, account));
	const lists = [...account.successStatuses, ...account.failureStatuses].map(foldedSentence);
	const words = [...new Set(read.flatMap(({ status }) => status ?? []))]
		// Another word may be about a customer.
		.filter((word) => /^[A-Za-z _-]{1,30}$/.test(word));
	const seen = `Words: ${words.join(', ') || 'none'}`;
	const unknown = words.find((word) => !lists.includes(foldedSentence(word)));
	if (unknown === undefined) {
		return finding('states', words.length > 0 ? 'yes' : 'cannotTell', seen);
	}
	const enter = { 'Success Statuses': withName(account.successStatuses, unknown) };
	return finding('states', 'cannotTell', seen, 'enterIfPaid', enter);
}

/** Whether a collection whose answer did not come can be looked up. */
export async function ofOwnOrder(
	records: readonly Json[],
	options: RowOptions,
	client: Client,
): Promise<Finding> {
	const account = await client.credential();
	const record = records.find((each) => readReference(each[OWN_REFERENCE]) !== null);
	const order = readReference(record?.[OWN_REFERENCE]);
	if (record === undefined || order === null) {
		return finding('ownOrder', 'cannotTell', 'No payment that was found states an order', 'payIt');
	}
	const found = await asked(askForRecord(client, order, 'payin', options));
	if (!('value' in found)) {
		return finding('ownOrder', 'cannotTell', said(found.failure), 'runAgain');
	}
	if (found.value === null) {
		return finding('ownOrder', 'no', 'A payment is not found by its order', 'lookUpByHand');
	}
	const [one, other] = [record, found.value].map((each) => referenceIn(each, account));
	return one !== null && one === other
		? finding('ownOrder', 'yes', 'A payment was found by it')
		: finding('ownOrder', 'cannotTell', 'Perhaps another payment was found by it');
}
