import { countriesWithCurrency } from '../../../countries/lookup';
import { callbackUrls } from '../../../fields/callbackUrl';
import type { RowOptions } from '../../../fields/options';
import { jsonOf, LONGEST_SAFE_URL, markWithin, writeMark } from '../../../payment/mark';
import { ENDPOINTS } from '../../../protocol/endpoints';
import { isRecord, type Json } from '../../../protocol/parse';
import {
	entriesOf,
	linkIn,
	linkOf,
	referenceIn,
	type FieldNames,
	type Reply,
} from '../../../protocol/reply';
import { fresh } from '../../../protocol/signing';
import type { Client } from '../../../transport/client';
import { finding, namesIn, REPORT, said, type Asked, type Finding } from './finding';

/** What the entries say of themselves, by the names of the fields of the newest. */
export function ofEntries(
	list: Asked<Reply>,
	entries: readonly Json[],
	fields: FieldNames,
): Finding[] {
	const address = 'A listed link has its address under a name that is known';
	const reference = 'A listed link has a reference under a name that is known';
	const [entry] = entries;
	if (entry === undefined) {
		const none =
			'value' in list ? 'There is no link in the list yet' : 'The list could not be read';
		return [finding(address, 'cannotTell', none), finding(reference, 'cannotTell', none)];
	}
	const names = `Its fields: ${namesIn(entry)}`;
	const has = (isThere: (each: Json) => boolean) => (entries.some(isThere) ? 'yes' : 'no');
	return [
		finding(
			address,
			has((each) => linkIn(each, fields) !== null),
			names,
			REPORT,
		),
		finding(
			reference,
			has((each) => referenceIn(each, fields) !== null),
			names,
			REPORT,
		),
	];
}

/** A link that was made to look what becomes of it. */
interface OwnLink {
	itemName: string;
	callbackUrl: string;
	/** Whether it calls back to a trigger, or nowhere. */
	isHeard: boolean;
	made: Asked<Reply>;
}

/** A name that is reserved for nobody, so no record of a payment reaches a stranger. */
const NOWHERE = 'https://nobody.invalid/unified-payments/';

/** One link of the smallest amount. A callback URL that leads nowhere is as long as one may be. */
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
	const mark = writeMark(
		credential,
		{
			kind: 'link',
			orderReference: itemName.replaceAll(' ', '-'),
			amount: '1',
			currency,
			key: { key: itemName, by: 'orderReference', values: null },
			isOneOfSeveral: false,
		},
		{ workflowId: '', nodeId: '' },
	);
	const addressOf = (url: string) => callbackUrls(url, mark).sent;
	const padding = 'x'.repeat(Math.max(0, LONGEST_SAFE_URL - addressOf(NOWHERE).length));
	const callbackUrl = addressOf(given ?? NOWHERE + padding);
	const verdict = await client.create(
		ENDPOINTS.createPaymentLink,
		{
			business_name: credential.identity.sender,
			item_name: itemName,
			amount: '1',
			currency,
			country_id: id,
			callback_url: callbackUrl,
		},
		options,
	);
	const made = verdict.ok ? { value: verdict.reply } : { failure: verdict.failure };
	return { itemName, callbackUrl, isHeard: given !== undefined, made };
}

export function ofReply({ itemName, made, callbackUrl }: OwnLink, fields: FieldNames): Finding {
	const about = 'The reply to a create holds the link';
	if (!('value' in made))
		return finding(about, 'cannotTell', `No link was made. ${said(made.failure)}`);
	const { data } = made.value;
	const names = `The link '${itemName}' was made; leave it unpaid. Fields of the reply's data: ${namesIn(isRecord(data) ? data : {})}`;
	return finding(
		about,
		linkOf(made.value, fields, { callback_url: callbackUrl }) === null ? 'no' : 'yes',
		names,
		[
			"Node: 'Callback URL'",
			'Give every link a callback URL, so that it can be found in the list. Nothing else is needed.',
		],
	);
}

const entryOf = ({ itemName }: OwnLink, entries: readonly Json[]): Json | undefined =>
	entries.find((each) => JSON.stringify(each).includes(itemName));

/** What a record kept of a callback URL: all of it, a part of it, or nothing that can be seen. */
function keptOf(record: Json, callbackUrl: string): 'whole' | 'part' | 'nothing' {
	const text = jsonOf(record);
	if (text.includes(JSON.stringify(callbackUrl))) return 'whole';
	return text.includes(callbackUrl.slice(0, 60).replace(/[?].*/s, '')) ? 'part' : 'nothing';
}

export async function ofCallbackUrl(
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
		return entries.some((each) => markWithin(credential, each).is === 'valid')
			? finding(about, 'yes', 'A listed link has a callback URL of this account', where)
			: finding(about, 'cannotTell', "No listed link shows one. Turn on 'Try With a Link'.", where);
	}
	const entry = entryOf(own, entries);
	if (entry === undefined)
		return finding(about, 'cannotTell', 'The new link is not in the list', where);
	switch (keptOf(entry, own.callbackUrl)) {
		case 'whole':
			return finding(
				about,
				'yes',
				`All ${own.callbackUrl.length} characters are in the list`,
				where,
			);
		case 'part':
			return finding(about, 'no', 'The list has a part of it', where);
		case 'nothing':
			return finding(about, 'cannotTell', 'The list does not show callback URLs', where);
	}
}

/** The rest of the way needs a person who pays, and the trigger, which tells the rest. */
export function ofOwnCallback(
	own: OwnLink,
	entries: readonly Json[],
	fields: FieldNames,
): Finding[] {
	if (!own.isHeard) return [];
	const about = 'A payment is reported to the callback URL';
	if (!('value' in own.made)) return [finding(about, 'cannotTell', 'No link was made')];
	const entry = entryOf(own, entries);
	const link =
		linkOf(own.made.value, fields, { callback_url: own.callbackUrl }) ?? linkIn(entry, fields);
	const seen = link
		? `Pay this link, and give the item of the trigger to 'Callback': ${link}`
		: `The address of the link '${own.itemName}' is not known. Pay it in the application of the service.`;
	return [finding(about, 'cannotTell', seen)];
}
