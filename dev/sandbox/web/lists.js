// One entry per tab: what a row shows, how it is filtered, and what an empty list explains.
import { h, icon } from './dom.js';
import { amountOf, count, duration, fullDate, money, when } from './format.js';
import {
	attemptMarks,
	KINDS,
	orderOf,
	orderTag,
	pill,
	statusCode,
	verdictOf,
	verdictPill,
} from './parts.js';

const cell = (name, label, ...children) =>
	h('span', { class: `cell ${name}` }, label && h('span', { class: 'sr' }, `${label}: `), children);

const time = (value) => h('time', { title: fullDate(value) }, when(value));

const customer = (link) =>
	[link.first_name, link.last_name].filter(Boolean).join(' ') || link.email || link.phone || '';

const integrationTitle = (store, id) =>
	store.general.integrations.find((one) => one.id === id)?.title ?? id ?? '';

const empty = (picture, title, ...body) =>
	h(
		'div',
		{ class: 'empty' },
		h('span', { class: 'empty-icon' }, icon(picture)),
		h('h2', {}, title),
		body,
	);

const toQuickStart = () =>
	h('p', {}, h('a', { href: '#start' }, 'Quick start: a signed request with curl'));

export const LISTS = {
	requests: {
		title: 'Requests',
		icon: 'swap',
		columns: ['Signature', 'Request', 'Status', 'Answer', 'Took', 'Time'],
		filters: {
			All: () => true,
			Refused: (one) => verdictOf(one) === 'refused',
			Errors: (one) => verdictOf(one) === 'refused' || Number(one.status) >= 400 || !one.status,
			Faults: (one) => Boolean(one.fault),
		},
		text: (one, store) =>
			`${one.method} ${one.path} ${one.status} ${one.message} ${one.verdict?.reason ?? ''} ${orderOf(one)} ${integrationTitle(store, one.integration)}`,
		row: (one, store) => [
			cell('verdict', 'Signature', verdictPill(one)),
			cell(
				'what',
				'',
				h('span', { class: 'method' }, one.method),
				h('span', { class: 'path mono' }, one.path),
				orderTag(orderOf(one)),
				one.fault && h('span', { class: 'tag' }, icon('bolt'), one.fault),
			),
			cell('status', 'Status', statusCode(one.status, verdictOf(one) === 'refused')),
			cell('message', 'Answer', one.message || integrationTitle(store, one.integration)),
			cell('took', 'Took', duration(one.durationMs)),
			cell('time', 'Time', time(one.at)),
		],
		empty: () =>
			empty(
				'swap',
				'Waiting for the first request',
				h(
					'p',
					{},
					'Point a client at this address and every call appears here at once, with the verdict on its signature. If one is refused, open it to see the text that should have been signed next to the one that was.',
				),
				toQuickStart(),
			),
	},
	links: {
		title: 'Links',
		icon: 'link',
		columns: ['State', 'For', 'Customer', 'Country', 'Amount', 'Created'],
		filters: {
			All: () => true,
			Open: (one) => one.state === 'open',
			Paid: (one) => one.state === 'paid',
			Closed: (one) => one.state === 'failed' || one.state === 'cancelled',
		},
		text: (one) =>
			`${one.reference} ${one.state} ${orderOf(one)} ${one.business_name} ${one.item_name} ${customer(one)} ${one.email} ${one.phone} ${one.country} ${one.amount} ${one.currency}`,
		row: (one) => [
			cell('verdict', 'State', pill(one.state)),
			cell(
				'what two',
				'',
				h('strong', {}, one.item_name || 'Payment'),
				h('span', { class: 'under' }, orderTag(orderOf(one)), one.business_name),
			),
			cell('message', 'Customer', customer(one)),
			cell('place', 'Country', one.country),
			cell('amount', 'Amount', amountOf(one)),
			cell('time', 'Created', time(one.createdAt)),
		],
		empty: () =>
			empty(
				'link',
				'No payment links yet',
				h(
					'p',
					{},
					'A link is made by POST /api/v3/payment-link-api/create. It opens a page where you play the customer: pay, let it fail, or cancel.',
				),
				toQuickStart(),
			),
	},
	transactions: {
		title: 'Transactions',
		icon: 'wallet',
		columns: ['Status', 'Reference', 'Mobile', 'Channel', 'Amount', 'Updated'],
		filters: {
			All: () => true,
			Pending: (one) => one.status === 'pending',
			Success: (one) => one.status === 'success',
			Failed: (one) => one.status === 'failed',
		},
		text: (one) =>
			`${one.ref} ${one.status} ${orderOf(one)} ${one.mobile} ${one.payment_channel} ${one.country} ${one.amount} ${one.currency} ${one.third_party_reference_1} ${one.third_party_reference_2} ${one.transaction_detail}`,
		row: (one) => [
			cell('verdict', 'Status', pill(one.status)),
			cell(
				'what two',
				'',
				h('strong', { class: 'mono' }, one.ref),
				h(
					'span',
					{ class: 'under' },
					orderTag(orderOf(one)),
					KINDS[one.kind] ?? one.kind,
					one.country && ` · ${one.country}`,
				),
			),
			cell('message', 'Mobile', one.mobile),
			cell('place', 'Channel', one.payment_channel),
			cell('amount', 'Amount', money(one.amount, one.currency)),
			cell('time', 'Updated', time(one.updated_at)),
		],
		empty: () =>
			empty(
				'wallet',
				'No transactions yet',
				h(
					'p',
					{},
					'Pay a link, or start a collection with POST /api/v3/service-unified-collections. Each goes from pending to success or failed, and you can settle it by hand here.',
				),
				toQuickStart(),
			),
	},
	callbacks: {
		title: 'Callbacks',
		icon: 'bell',
		columns: ['Delivery', 'To', 'Reference', 'Attempts', 'Last attempt'],
		filters: {
			All: () => true,
			Pending: (one) => one.status === 'pending',
			Delivered: (one) => one.status === 'delivered',
			Failed: (one) => one.status === 'failed',
		},
		text: (one, store) =>
			`${one.reference} ${one.url} ${one.status} ${orderOf(store.get('transactions', one.reference))}`,
		row: (one, store) => [
			cell('verdict', 'Delivery', pill(one.status)),
			cell(
				'what',
				'To',
				orderTag(orderOf(store.get('transactions', one.reference))),
				h('span', { class: 'path mono' }, one.url),
			),
			cell('message mono', 'Reference', one.reference),
			cell('took', 'Attempts', attemptMarks(one)),
			cell('time', 'Last attempt', time(one.attempts?.at(-1)?.at)),
		],
		empty: () =>
			empty(
				'bell',
				'No callbacks yet',
				h(
					'p',
					{},
					'When a transaction settles and its request named a callback_url, the result is posted there. Every attempt is kept here: its status, its error, how long it took. Send any of them again with one button.',
				),
			),
	},
};

/** Cards by integration instead of rows, because balances are few and easier to compare that way. */
export function balances(store) {
	const wallets = store.list('wallets');
	if (wallets.length === 0) {
		return empty(
			'wallet',
			'No wallets',
			h('p', {}, 'Wallets appear with the first integration and move when money moves.'),
		);
	}
	const owners = new Map();
	for (const wallet of wallets) {
		owners.set(wallet.integration, [...(owners.get(wallet.integration) ?? []), wallet]);
	}
	return h(
		'div',
		{ class: 'owners' },
		[...owners].map(([owner, owned]) =>
			h(
				'section',
				{ class: 'owner' },
				h(
					'h2',
					{},
					integrationTitle(store, owner),
					h('span', {}, `${count(owned.length)} wallets`),
				),
				h(
					'ul',
					{},
					owned.map((wallet) =>
						h(
							'li',
							{ class: 'wallet' },
							h('span', { class: 'currency' }, wallet.currency),
							h('strong', {}, money(wallet.balance, wallet.currency)),
							h('span', { class: 'under' }, `Wallet account ${wallet.wallet_account}`),
						),
					),
				),
			),
		),
	);
}
