import { filesBelow, NODE, sourceOf } from './sources.mts';

/** Whose a record, an entry or a row is, is decided in `payment/`. What these read is the user's own input. */
const OTHER_ROOMS = ['payment', 'fields', 'sheet', 'countries'].map((folder) => `${NODE}/${folder}/`);

/** What compares payments in that room; whoever takes one of these compares them elsewhere. */
const COMPARERS = /\b(?:sameValue|sameReference|foldedReference|readMark|markWithin|isMarkOf)\b/g;

/** What names a payment, compared with anything but a fixed value. */
const COMPARED = new RegExp(
	/\b(?:own_?|order_?|stated_?|asked_?|sent_?)?(?:reference|ref|amount|currency|marks?|callback_?url|third_party_reference_\d)/
		.source +
		/(?:'\])?!? ?(?: [!=]==? (?!null|undefined|true|false|['"`\d])|\.(?:includes|startsWith|endsWith|indexOf)\()/
			.source,
	'gi',
);

/** Who has to read marks, or to compare, and why: `file: what`. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
	'actions/account/diagnose/links.ts: markWithin': 'asks whether callback URLs are kept whole',
	'actions/account/diagnose/payments.ts: reference === ': 'asks whether the order finds a payment',
	'actions/transaction/get.operation.ts: reference !== ': 'the record is the one asked for',
	'trigger/endpoint/receive.ts: readMark': 'reads it where the credential is at hand',
	'trigger/execution/confirm.ts: reference === ': 'an order may be a reference by chance',
	'trigger/execution/confirm.ts: sameReference':
		'what a callback states is compared with the record',
	'waiting/status.ts: readMark': 'what was asked for is in the own address',
	'waiting/waitForLinks.ts: readMark': 'asks whether the links are of this account',
};

const comparisonsIn = (text: string): string[] =>
	[...text.matchAll(COMPARERS), ...text.matchAll(COMPARED)].map(([what]) => what);

it('whose a payment is, is decided in one room', () => {
	const files = filesBelow(NODE).filter(
		(file) => !OTHER_ROOMS.some((folder) => file.startsWith(folder)),
	);
	const found = files.flatMap((file) =>
		comparisonsIn(sourceOf(file)).map((what) => `${file.slice(NODE.length + 1)}: ${what}`),
	);
	expect([...new Set(found)].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});

it.each([
	['record.ref === payment.reference', 1],
	["row['third_party_reference_1'] === (order as string)", 1],
	['payment.reference !== undefined', 0],
	["currency === 'KES'", 0],
	['preference === other', 0],
])('%s compares payments: %d', (text, count) => {
	expect(comparisonsIn(text)).toHaveLength(count);
});
