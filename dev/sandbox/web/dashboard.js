import { DETAILS } from './details.js';
import { fill, h, icon } from './dom.js';
import { count, moneyWithCode, plural } from './format.js';
import { balances, LISTS } from './lists.js';
import { tone } from './parts.js';
import { quickStart } from './quickstart.js';
import { createStore } from './store.js';
import { switchChoices, switchesInWords } from './switches.js';

const PAGE = 100;
/** From this width on a detail opens next to its list; on narrower screens it covers the page. */
const wide = matchMedia('(min-width: 1080px)');

const $ = (id) => document.getElementById(id);
const store = createStore();

const TABS = [
	...Object.entries(LISTS).map(([id, list]) => ({ id, title: list.title, list })),
	{ id: 'balances', title: 'Balances' },
	{ id: 'start', title: 'Quick start' },
];

const view = { tab: null, key: null, filter: 'All', search: '', limit: PAGE };

// ── Where we are: #tab/key ──────────────────────────────────────────────────────────────────

function readHash() {
	const [tab, key] = location.hash.slice(1).split('/');
	let decoded = null;
	try {
		decoded = key ? decodeURIComponent(key) : null;
	} catch {
		decoded = null;
	}
	return { tab: TABS.some(({ id }) => id === tab) ? tab : null, key: decoded };
}

function go(tab, key = null) {
	const hash = `#${tab}${key ? `/${encodeURIComponent(key)}` : ''}`;
	if (location.hash !== hash) history.replaceState(null, '', hash);
	arrive(tab, key);
}

function arrive(tab, key) {
	if (view.tab !== tab) {
		Object.assign(view, { tab, filter: 'All', search: '', limit: PAGE });
		buildPanel();
	}
	view.key = key;
	render();
}

window.addEventListener('hashchange', () => {
	const { tab, key } = readHash();
	if (tab) arrive(tab, key);
});

/** What each part of the page was last drawn from. */
const drawn = new Map();

/** Draws only what would look different, so that focus and selection stay. */
function redrawIfChanged(id, data, draw) {
	const text = JSON.stringify(data);
	if (drawn.get(id) === text) return;
	drawn.set(id, text);
	draw();
}

// ── Header ──────────────────────────────────────────────────────────────────────────────────

const LIVE = { live: 'Live', lost: 'Reconnecting', connecting: 'Connecting' };

function renderHeader() {
	$('live').dataset.state = store.connection;
	const word = LIVE[store.connection];
	if ($('live-text').textContent !== word) $('live-text').textContent = word;
	if (!store.loaded) return;
	const { switches } = store.general;
	const words = switchesInWords(store.general);
	if ($('mode').textContent !== words) $('mode').textContent = words;
	redrawIfChanged('switches', switches, () =>
		fill(
			$('choices'),
			switchChoices(switches, (changed) => act('POST', '/sandbox/switches', changed, 'Changed')),
		),
	);
	const { faults } = store.general;
	$('faults').hidden = faults.length === 0;
	redrawIfChanged('faults', faults, () =>
		fill(
			$('faults-text'),
			icon('bolt'),
			h('strong', {}, ` ${plural(faults.length, 'fault')} armed: `),
			faults
				.map(
					({ kind, route, hits }) =>
						`${kind} on ${route ?? 'every route'}, hit ${plural(hits ?? 0, 'request')}`,
				)
				.join('; '),
		),
	);
}

function toast(text) {
	const node = $('toast');
	node.textContent = text;
	node.classList.add('shown');
	clearTimeout(toast.timer);
	toast.timer = setTimeout(() => node.classList.remove('shown'), 3200);
}

/** Does what the user asked for, and says that it worked or why it did not. */
async function act(method, path, body, done) {
	try {
		const response = await fetch(path, {
			method,
			headers: body ? { 'content-type': 'application/json' } : {},
			body: body ? JSON.stringify(body) : undefined,
		});
		if (!response.ok) {
			const json = await response.json().catch(() => null);
			throw new Error(json?.message ?? `the sandbox answered ${response.status}`);
		}
		toast(done);
	} catch (error) {
		toast(`That did not work: ${error.message}`);
	}
	await store.refresh().catch(() => {});
}

$('mode').addEventListener('click', () => $('switches').showModal());
$('reset').addEventListener('click', () => $('confirm').showModal());
$('confirm').addEventListener('close', () => {
	if ($('confirm').returnValue === 'reset')
		void act('POST', '/sandbox/reset', {}, 'The sandbox was reset');
	$('confirm').returnValue = '';
});
$('faults-clear').addEventListener(
	'click',
	() => void act('DELETE', '/sandbox/faults', null, 'Faults cleared'),
);

// ── At a glance ─────────────────────────────────────────────────────────────────────────────

function tally(name, field) {
	const totals = {};
	for (const item of store.values(name)) totals[item[field]] = (totals[item[field]] ?? 0) + 1;
	return totals;
}

function tile(picture, title, target) {
	const number = h('strong', { class: 'number' }, '–');
	const rest = h('span', { class: 'rest' });
	const node = h(
		'a',
		{ class: 'tile', href: `#${target}` },
		h('span', { class: 'tile-title' }, icon(picture), title),
		number,
		rest,
	);
	return { node, number, rest };
}

const tiles = {
	links: tile('link', 'Payment links', 'links'),
	transactions: tile('swap', 'Transactions', 'transactions'),
	ledger: tile('ledger', 'Accepted in ledger', 'requests'),
	callbacks: tile('bell', 'Callbacks', 'callbacks'),
	wallets: tile('wallet', 'Wallets', 'balances'),
};
$('tiles').append(...Object.values(tiles).map(({ node }) => node));

/** A bar of shares with its legend: `2 paid  1 open`. */
function shares(totals, order) {
	const present = order.filter((state) => totals[state]);
	const bar = h('span', { class: 'shares', 'aria-hidden': 'true' });
	for (const state of present) {
		const part = h('span', { class: tone(state) });
		part.style.flexGrow = String(totals[state]);
		bar.append(part);
	}
	return [
		bar,
		h(
			'span',
			{ class: 'legend' },
			present.length === 0 && 'none yet',
			present.map((state) =>
				h('span', { class: `key ${tone(state)}` }, `${count(totals[state])} ${state}`),
			),
		),
	];
}

function renderTiles() {
	if (!store.loaded) return;
	const put = (name, number, totals, order) =>
		redrawIfChanged(name, [number, totals], () => {
			tiles[name].number.textContent = count(number);
			fill(tiles[name].rest, shares(totals, order));
		});
	put('links', store.size('links'), tally('links', 'state'), [
		'paid',
		'open',
		'failed',
		'cancelled',
	]);
	put('transactions', store.size('transactions'), tally('transactions', 'status'), [
		'success',
		'pending',
		'failed',
	]);
	put('callbacks', store.size('callbacks'), tally('callbacks', 'status'), [
		'delivered',
		'pending',
		'failed',
	]);
	const accepted = store.general.ledger?.accepted ?? 0;
	redrawIfChanged('ledger', [accepted], () => {
		tiles.ledger.number.textContent = count(accepted);
		fill(
			tiles.ledger.rest,
			h('span', { class: 'legend plain' }, 'Payments made, each counted once.'),
		);
	});
	renderWallets();
}

/** Shows the balances that changed last, because different currencies cannot be added up. */
function renderWallets() {
	const wallets = store.list('wallets');
	const moved = new Set();
	for (const one of store.list('transactions')) {
		if (one.status === 'success') moved.add(`${one.integration} ${one.currency}`);
		if (moved.size === 2) break;
	}
	const shown = [...moved]
		.map((key) => wallets.find((one) => `${one.integration} ${one.currency}` === key))
		.filter(Boolean)
		.map((one) => moneyWithCode(one.balance, one.currency));
	const currencies = new Set(wallets.map(({ currency }) => currency)).size;
	redrawIfChanged('wallets', [wallets.length, currencies, shown], () => {
		tiles.wallets.number.textContent = count(wallets.length);
		fill(
			tiles.wallets.rest,
			shown.length > 0
				? shown.map((text) => h('span', { class: 'moved' }, text))
				: h(
						'span',
						{ class: 'legend plain' },
						`In ${plural(currencies, 'currency', 'currencies')}; none has moved yet.`,
					),
		);
	});
}

// ── Tabs ────────────────────────────────────────────────────────────────────────────────────

const tabButtons = new Map();

for (const { id, title, list } of TABS) {
	const badge = list ? h('span', { class: 'badge' }) : null;
	const button = h(
		'button',
		{
			class: 'tab',
			type: 'button',
			role: 'tab',
			id: `tab-${id}`,
			'aria-controls': 'panel',
			tabindex: '-1',
		},
		title,
		badge,
	);
	button.addEventListener('click', () => go(id));
	tabButtons.set(id, { button, badge });
	$('tabs').append(button);
}

$('tabs').addEventListener('keydown', (event) => {
	const ids = TABS.map(({ id }) => id);
	const at = ids.indexOf(view.tab);
	const target = {
		ArrowRight: (at + 1) % ids.length,
		ArrowLeft: (at + ids.length - 1) % ids.length,
		Home: 0,
		End: ids.length - 1,
	}[event.key];
	if (target === undefined) return;
	event.preventDefault();
	go(ids[target]);
	tabButtons.get(ids[target]).button.focus();
});

function renderTabs() {
	for (const { id, list } of TABS) {
		const { button, badge } = tabButtons.get(id);
		const selected = id === view.tab;
		if (button.getAttribute('aria-selected') !== String(selected)) {
			button.setAttribute('aria-selected', String(selected));
			button.tabIndex = selected ? 0 : -1;
			if (selected) button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
		}
		if (!list) continue;
		const number = count(store.size(id));
		if (badge.textContent !== number) badge.textContent = number;
	}
}

// ── The list of the current tab ─────────────────────────────────────────────────────────────

let panel = null;

function buildPanel() {
	const list = LISTS[view.tab];
	$('panel').setAttribute('aria-labelledby', `tab-${view.tab}`);
	$('panel').removeAttribute('aria-label');
	$('panel').dataset.tab = view.tab;
	drawn.delete('panel');
	if (!list) {
		panel = null;
		fill($('panel'));
		return;
	}
	const search = h('input', {
		type: 'search',
		placeholder: `Search ${list.title.toLowerCase()}`,
		'aria-label': `Search ${list.title.toLowerCase()}`,
		autocomplete: 'off',
		spellcheck: 'false',
	});
	search.addEventListener('input', () => {
		view.search = search.value.trim().toLowerCase();
		view.limit = PAGE;
		renderPanel();
	});
	const chips = Object.keys(list.filters).map((name) => {
		const chip = h(
			'button',
			{ class: 'filter', type: 'button', 'aria-pressed': String(name === 'All') },
			name,
		);
		chip.addEventListener('click', () => {
			view.filter = name;
			view.limit = PAGE;
			for (const other of chips) other.setAttribute('aria-pressed', String(other === chip));
			renderPanel();
		});
		return chip;
	});
	const rows = h('ol', { class: 'rows' });
	const head = h(
		'div',
		{ class: 'row head', 'aria-hidden': 'true' },
		list.columns.map((title) => h('span', { class: 'cell' }, title)),
	);
	const more = h('button', { class: 'button more', type: 'button', hidden: true }, '');
	more.addEventListener('click', () => {
		view.limit += PAGE * 2;
		renderPanel();
	});
	const nothing = h('div', { hidden: true });
	const tools = h(
		'div',
		{ class: 'tools' },
		h('div', { class: 'search' }, icon('search'), search),
		h('div', { class: 'filters', role: 'group', 'aria-label': 'Show' }, chips),
	);
	rows.addEventListener('keydown', moveBetweenRows);
	panel = { list, rows, head, more, nothing, tools, elements: new Map() };
	fill($('panel'), tools, nothing, head, rows, more);
}

function moveBetweenRows(event) {
	const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
	const item = event.target.closest('li');
	if (!step || !item?.[step]) return;
	event.preventDefault();
	item[step].firstElementChild.focus();
}

function rowElement(key, item) {
	const known = panel.elements.get(key);
	if (known?.item === item) return known.node;
	const cells = panel.list.row(item, store);
	if (known) {
		// The button is kept, so that it keeps the focus.
		fill(known.node.firstElementChild, cells);
		known.item = item;
		return known.node;
	}
	const tab = view.tab;
	const button = h('button', { class: 'row', type: 'button', 'aria-haspopup': 'dialog' }, cells);
	button.addEventListener('click', () => go(tab, view.key === key ? null : key));
	const node = h('li', {}, button);
	panel.elements.set(key, { node, item });
	return node;
}

/** Puts `nodes` in order. Usually new rows come first, so few nodes have to move. */
function reconcile(parent, nodes) {
	const wanted = new Set(nodes);
	for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
	let at = parent.firstChild;
	for (const node of nodes) {
		if (node === at) at = at.nextSibling;
		else parent.insertBefore(node, at);
	}
}

function matching() {
	const { list } = panel;
	const accepts = list.filters[view.filter];
	return store
		.list(view.tab)
		.filter(
			(item) =>
				accepts(item) &&
				(!view.search || list.text(item, store).toLowerCase().includes(view.search)),
		);
}

function renderPanel() {
	if (!store.loaded || !view.tab) return;
	if (!panel) {
		if (view.tab === 'balances')
			redrawIfChanged('panel', [store.list('wallets'), store.general.integrations], () =>
				fill($('panel'), balances(store)),
			);
		else
			redrawIfChanged('panel', store.general.integrations, () =>
				fill($('panel'), quickStart(store.general.integrations, location.origin)),
			);
		return;
	}
	const total = store.size(view.tab);
	const found = total === 0 ? [] : matching();
	const shown = found.slice(0, view.limit);
	const first = panel.elements.size === 0;
	const nodes = shown.map((item) => {
		const key = store.key(view.tab, item);
		const isNew = !first && !panel.elements.has(key);
		const node = rowElement(key, item);
		node.classList.toggle('new', isNew);
		const current = key === view.key;
		node.firstElementChild.setAttribute('aria-expanded', String(current));
		return node;
	});
	reconcile(panel.rows, nodes);
	if (panel.elements.size > shown.length + PAGE * 4) {
		const keep = new Set(nodes);
		for (const [key, { node }] of panel.elements) if (!keep.has(node)) panel.elements.delete(key);
	}
	panel.tools.hidden = total === 0;
	panel.head.hidden = found.length === 0;
	panel.more.hidden = found.length <= shown.length;
	panel.more.textContent = `Show more (${count(found.length - shown.length)} hidden)`;
	panel.nothing.hidden = found.length > 0;
	if (found.length === 0) {
		redrawIfChanged('nothing', [view.tab, total === 0, view.filter, view.search], () =>
			fill(
				panel.nothing,
				total === 0
					? panel.list.empty()
					: h(
							'p',
							{ class: 'no-match' },
							'Nothing here matches. Clear the search or choose another filter.',
						),
			),
		);
	} else {
		drawn.delete('nothing');
	}
}

// ── The detail next to it ───────────────────────────────────────────────────────────────────

const detail = $('detail');
let shownItem = null;
let shownKey = null;

function closeDetail() {
	const key = view.key;
	go(view.tab);
	panel?.elements.get(key)?.node.firstElementChild.focus();
}

function renderDetail() {
	const item = view.key && LISTS[view.tab] ? store.get(view.tab, view.key) : null;
	$('board').classList.toggle('split', Boolean(item));
	if (!item) {
		if (detail.open) detail.close();
		shownItem = shownKey = null;
		return;
	}
	const callbacks =
		view.tab === 'transactions'
			? store.list('callbacks').filter((one) => one.reference === item.ref)
			: [];
	const path = `${view.tab}/${view.key}`;
	const same = shownKey === path;
	if (
		same &&
		shownItem?.item === item &&
		JSON.stringify(shownItem.callbacks) === JSON.stringify(callbacks)
	)
		return;
	shownItem = { item, callbacks };
	shownKey = path;
	const focusKey = detail.contains(document.activeElement)
		? document.activeElement.dataset.keep
		: null;
	const hadFocus = same && detail.contains(document.activeElement);
	const scroll = same ? detail.scrollTop : 0;
	const { title, body, mono } = DETAILS[view.tab](item, store, act);
	const close = h(
		'button',
		{ class: 'button small close', type: 'button', 'aria-label': 'Close' },
		icon('cross'),
	);
	close.addEventListener('click', closeDetail);
	fill(
		detail,
		h(
			'header',
			{ class: 'detail-head' },
			h('h2', { id: 'detail-title', tabindex: '-1', class: mono ? 'mono' : null }, title),
			close,
		),
		h('div', { class: 'detail-body' }, body),
	);
	if (!detail.open) openDetail();
	detail.scrollTop = scroll;
	if (!same) $('detail-title').focus({ preventScroll: wide.matches });
	else if (hadFocus)
		(detail.querySelector(`[data-keep="${focusKey}"]`) ?? $('detail-title')).focus();
}

function openDetail() {
	if (wide.matches) detail.show();
	else detail.showModal();
}

detail.addEventListener('cancel', (event) => {
	event.preventDefault();
	closeDetail();
});
detail.addEventListener('keydown', (event) => {
	if (event.key !== 'Escape') return;
	event.preventDefault();
	closeDetail();
});
wide.addEventListener('change', () => {
	if (!detail.open) return;
	detail.close();
	openDetail();
});

// ── All of it ───────────────────────────────────────────────────────────────────────────────

function render() {
	renderHeader();
	renderTiles();
	renderTabs();
	renderPanel();
	renderDetail();
}

function firstTab() {
	const nothingYet = store.size('requests') === 0 && store.size('links') === 0;
	return nothingYet ? 'start' : 'requests';
}

store.onChange(() => {
	if (view.tab || !store.loaded) return render();
	const { tab, key } = readHash();
	arrive(tab ?? firstTab(), key);
});
renderTabs();
store.connect();
