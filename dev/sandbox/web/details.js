// What opens next to a list: everything about one request, link, transaction or callback.
import { h, icon, webAddress } from './dom.js';
import { amountOf, count, clock, duration, fullDate, money } from './format.js';
import {
	attemptOk,
	codeBlock,
	copyButton,
	facts,
	KINDS,
	orderFacts,
	orderOf,
	pill,
	section,
	statusCode,
	verdictOf,
	verdictPill,
} from './parts.js';

/** Longer equal stretches are folded, so that the differences stay in sight. */
const LONGEST_SAME = 400;

const visible = (text) =>
	text.replaceAll('\t', '⇥').replaceAll('\r', '␍').replaceAll('\n', '⏎\n').replaceAll(' ', '␣');

function same(text, first, last) {
	if (text.length <= LONGEST_SAME) return text;
	const keep = LONGEST_SAME / 4;
	const head = first ? keep * 2 : keep;
	const tail = last ? keep * 2 : keep;
	const hidden = text.length - head - tail;
	return [
		text.slice(0, head),
		h('span', { class: 'fold' }, `… ${count(hidden)} equal characters …`),
		text.slice(-tail),
	];
}

function changed(text) {
	if (text === '')
		return h(
			'mark',
			{ class: 'gap', title: 'missing here' },
			h('span', { class: 'sr' }, '[missing]'),
		);
	return h('mark', {}, visible(text));
}

/** The text of one side with what differs marked. */
const marked = (comparison, side) =>
	comparison.map((part, index) =>
		'same' in part
			? same(part.same, index === 0, index === comparison.length - 1)
			: changed(part[side]),
	);

function textPair({ ok, reason, expectedText, receivedText, comparison }) {
	const differences = comparison.filter((part) => !('same' in part)).length;
	const column = (side, title, text) =>
		h(
			'div',
			{ class: `side ${side}` },
			h('h4', {}, title, copyButton(text)),
			h('pre', { class: 'signed', tabindex: '0', 'aria-label': title }, marked(comparison, side)),
		);
	let summary = null;
	if (differences > 0)
		summary = `They differ in ${differences === 1 ? 'one place' : `${differences} places`}, marked below.`;
	else if (ok) summary = 'Your client signed exactly the expected text.';
	else if (reason === 'signature_mismatch')
		summary =
			'The fields of the request give exactly the expected text. So your client signed another text (spacing, key order, number format), or used another key or algorithm.';
	return [
		summary && h('p', { class: 'summary' }, summary),
		h(
			'div',
			{ class: 'pair' },
			column('expected', 'Expected text to sign', expectedText),
			column('received', 'Received', receivedText),
		),
	];
}

function signaturePair(verdict) {
	if (!verdict.expectedSignature && !verdict.receivedSignature) return null;
	// Nothing is marked here: two different hashes differ everywhere.
	const equal = verdict.expectedSignature === verdict.receivedSignature;
	const column = (kind, title, text) =>
		h(
			'div',
			{ class: `side ${kind}` },
			h('h4', {}, title),
			h(
				'pre',
				{ class: 'signed', tabindex: '0', 'aria-label': title },
				text || h('span', { class: 'fold' }, 'none'),
			),
		);
	return section(
		equal ? 'Signatures: equal' : 'Signatures',
		h(
			'div',
			{ class: 'pair' },
			column('expected', 'Expected', verdict.expectedSignature),
			column('received', 'Received', verdict.receivedSignature),
		),
	);
}

function requestDetail(one, store) {
	const state = verdictOf(one);
	const verdict = one.verdict;
	const owner = store.general.integrations.find((each) => each.id === one.integration);
	const words = {
		verified: 'The signature is what the sandbox computed from this request.',
		unsigned: 'This route carries no signature.',
		unchecked: 'A fault answered before the signature was looked at.',
	};
	return {
		title: `${one.method} ${one.path}`,
		body: [
			h(
				'div',
				{ class: `verdict-card ${state}` },
				h(
					'div',
					{ class: 'verdict-head' },
					verdictPill(one),
					verdict?.reason && h('code', {}, verdict.reason),
				),
				h(
					'p',
					{ class: 'explanation' },
					verdict?.explanation || words[state] || 'The signature was refused.',
				),
			),
			verdict &&
				(verdict.expectedText || verdict.receivedText) &&
				section('Text to sign', textPair(verdict)),
			verdict && signaturePair(verdict),
			section(
				'Exchange',
				facts([
					[
						'Answered',
						h('span', {}, statusCode(one.status, state === 'refused'), ' ', one.message ?? ''),
					],
					['Integration', owner ? owner.title : one.integration],
					['Order', orderOf(one), 'mono'],
					['Took', duration(one.durationMs)],
					['At', fullDate(one.at)],
					[
						'Fault',
						one.fault && (typeof one.fault === 'string' ? one.fault : JSON.stringify(one.fault)),
						'mono',
					],
				]),
			),
		],
	};
}

function linkDetail(one) {
	const ref = typeof one.transaction === 'object' ? one.transaction?.ref : one.transaction;
	const address = webAddress(one.link);
	return {
		title: one.item_name || 'Payment link',
		body: [
			h('p', { class: 'big' }, amountOf(one), pill(one.state)),
			h(
				'div',
				{ class: 'actions' },
				address &&
					h(
						'a',
						{ class: 'button primary', href: address, target: '_blank', rel: 'noopener' },
						icon('open'),
						'Open payment page',
					),
				one.link && copyButton(one.link, 'Copy link'),
			),
			section(
				'Link',
				facts([
					['Reference', one.reference, 'mono'],
					['Address', one.link, 'mono'],
					['Business', one.business_name],
					['Country', one.country && `${one.country} (country_id ${one.country_id})`],
					['Created', fullDate(one.createdAt)],
					['Logo', one.hasLogo ? 'yes' : 'none: the page draws initials'],
					[
						'Transaction',
						ref && h('a', { href: `#transactions/${encodeURIComponent(ref)}`, class: 'mono' }, ref),
					],
				]),
			),
			one.order && section('Order', orderFacts(one)),
			section(
				'Customer',
				facts([
					['Name', [one.first_name, one.last_name].filter(Boolean).join(' ')],
					['Email', one.email],
					['Phone', one.phone],
				]),
			),
			section(
				'Afterwards',
				facts([
					['Redirect to', one.redirection_url || 'none: the customer stays on the page', 'mono'],
					['Call back', one.callback_url || 'none', 'mono'],
				]),
			),
		],
	};
}

const step = (colour, title, at, more) =>
	h(
		'li',
		{ class: `step ${colour}` },
		h('span', { class: 'step-title' }, title),
		h('time', {}, at),
		more && h('span', { class: 'under' }, more),
	);

const HISTORY = { success: 'good', failed: 'bad', pending: 'wait' };

function transactionDetail(one, store, act) {
	const pending = one.status === 'pending';
	const callbacks = store.list('callbacks').filter((each) => each.reference === one.ref);
	const path = `/sandbox/transactions/${encodeURIComponent(one.ref)}/settle`;
	return {
		title: one.ref,
		mono: true,
		body: [
			h('p', { class: 'big' }, money(one.amount, one.currency), pill(one.status)),
			one.failureReason?.failureMessage &&
				h(
					'p',
					{ class: 'verdict-card refused' },
					one.failureReason.failureCode && h('code', {}, one.failureReason.failureCode),
					' ',
					one.failureReason.failureMessage,
				),
			pending &&
				h(
					'div',
					{ class: 'actions' },
					h(
						'button',
						{
							class: 'button primary',
							type: 'button',
							'data-keep': 'settle-success',
							onclick: () => act('POST', path, { status: 'success' }, 'Settled as success'),
						},
						icon('check'),
						'Settle as success',
					),
					h(
						'button',
						{
							class: 'button danger',
							type: 'button',
							'data-keep': 'settle-failed',
							onclick: () => act('POST', path, { status: 'failed' }, 'Settled as failed'),
						},
						icon('cross'),
						'Settle as failed',
					),
				),
			one.history?.length > 0 &&
				section(
					'History',
					h(
						'ol',
						{ class: 'steps' },
						one.history.map((each) =>
							step(HISTORY[each.status] ?? 'calm', each.status, clock(each.at)),
						),
					),
				),
			section(
				'Record',
				facts([
					['Kind', KINDS[one.kind] ?? one.kind],
					['Fee', money(one.fee, one.currency)],
					[
						pending ? 'Balance' : 'Balance after',
						one.balance !== null &&
							one.balance !== undefined &&
							one.balance !== '' &&
							money(one.balance, one.currency),
					],
					['Mobile', one.mobile],
					['Channel', one.payment_channel],
					['Country', one.country],
					['Status code', one.status_code, 'mono'],
					['Detail', one.transaction_detail],
					['Your reference 1', one.third_party_reference_1, 'mono'],
					['Your reference 2', one.third_party_reference_2, 'mono'],
					['Date', one.transaction_date],
					['Created', one.created_at, 'mono'],
					['Updated', one.updated_at, 'mono'],
					['Call back', one.callback_url, 'mono'],
				]),
			),
			one.order && section('Order', orderFacts(one)),
			section(
				'Callbacks',
				callbacks.length > 0
					? h(
							'ul',
							{ class: 'mini' },
							callbacks.map((each) =>
								h(
									'li',
									{},
									h(
										'a',
										{ href: `#callbacks/${encodeURIComponent(each.id)}` },
										pill(each.status),
										h('span', {}, `${each.attempts?.length ?? 0} attempts`),
									),
								),
							),
						)
					: h(
							'p',
							{ class: 'under' },
							one.callback_url ? 'None sent yet.' : 'No callback_url was given.',
						),
			),
		],
	};
}

function callbackDetail(one, store, act) {
	const attempts = one.attempts ?? [];
	const known = store.get('transactions', one.reference);
	return {
		title: `Callback for ${one.reference}`,
		body: [
			h('p', { class: 'big small' }, pill(one.status)),
			h(
				'div',
				{ class: 'actions' },
				h(
					'button',
					{
						class: 'button primary',
						type: 'button',
						'data-keep': 'redeliver',
						onclick: () =>
							act(
								'POST',
								`/sandbox/callbacks/${encodeURIComponent(one.id)}/redeliver`,
								{},
								'Sent again',
							),
					},
					icon('again'),
					'Send again',
				),
			),
			section(
				'Delivery attempts',
				attempts.length === 0
					? h('p', { class: 'under' }, 'Not attempted yet.')
					: h(
							'ol',
							{ class: 'steps' },
							attempts.map((each, index) =>
								step(
									attemptOk(each) ? 'good' : 'bad',
									h('span', {}, `Attempt ${index + 1} `, statusCode(each.status)),
									clock(each.at),
									[each.error, duration(each.durationMs)].filter(Boolean).join(' · '),
								),
							),
						),
			),
			section(
				'Sent to',
				facts([
					['URL', one.url, 'mono'],
					[
						'Transaction',
						known
							? h(
									'a',
									{ href: `#transactions/${encodeURIComponent(one.reference)}`, class: 'mono' },
									one.reference,
								)
							: one.reference,
					],
					['Order', known && orderOf(known), 'mono'],
				]),
			),
			section('Body', codeBlock(pretty(one.body), 'Callback body')),
		],
	};
}

function pretty(body) {
	if (typeof body !== 'string') return JSON.stringify(body, null, 2) ?? '';
	try {
		return JSON.stringify(JSON.parse(body), null, 2);
	} catch {
		return body;
	}
}

export const DETAILS = {
	requests: requestDetail,
	links: linkDetail,
	transactions: transactionDetail,
	callbacks: callbackDetail,
};
