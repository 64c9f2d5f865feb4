// The sandbox's state in the browser, kept current by the event stream.

const KEEP = 5000;
const RETRY_MS = [500, 1000, 2000, 5000];
/** No event carries the totals and the ledger, so they are fetched again, at most this often. */
const REFRESH_MS = 800;

const KEYS = {
	requests: (item) => String(item.id),
	links: (item) => item.reference,
	transactions: (item) => item.ref,
	callbacks: (item) => String(item.id),
	wallets: (item) => `${item.integration} ${item.wallet_account} ${item.currency}`,
};

const EVENTS = {
	request: 'requests',
	link: 'links',
	transaction: 'transactions',
	callback: 'callbacks',
	wallet: 'wallets',
};

export function createStore() {
	/** Oldest first, so that what arrives is appended. */
	const tables = Object.fromEntries(Object.keys(KEYS).map((name) => [name, new Map()]));
	const general = {
		switches: {},
		strict: false,
		integrations: [],
		faults: [],
		ledger: { accepted: 0 },
		totals: {},
	};
	const listeners = new Set();
	const underway = new Set();
	let connection = 'connecting';
	let loaded = false;
	let scheduled = false;
	let refreshTimer = null;
	let failures = 0;

	const notify = () => {
		if (scheduled) return;
		scheduled = true;
		// A burst of events costs one render.
		setTimeout(() => {
			scheduled = false;
			for (const listener of listeners) listener();
		}, 60);
	};

	const put = (name, item) => {
		const table = tables[name];
		table.set(KEYS[name](item), item);
		if (table.size > KEEP) table.delete(table.keys().next().value);
	};

	/** Rows that did not change keep their identity, so that their elements are kept too. */
	const replaceTable = (name, newestFirst) => {
		const before = tables[name];
		const after = new Map();
		for (const item of newestFirst.slice(0, KEEP).reverse()) {
			const key = KEYS[name](item);
			const known = before.get(key);
			after.set(key, known && JSON.stringify(known) === JSON.stringify(item) ? known : item);
		}
		tables[name] = after;
	};

	const ask = async (limit) => {
		const response = await fetch(`/sandbox/state?limit=${limit}`);
		if (!response.ok) throw new Error(`state answered ${response.status}`);
		const state = await response.json();
		for (const name of Object.keys(general)) {
			if (state[name] !== undefined) general[name] = state[name];
		}
		replaceTable('wallets', state.wallets ?? []);
		return state;
	};

	const refresh = async () => {
		// Events that arrive before the answer are newer than the answer.
		const overtaking = [];
		underway.add(overtaking);
		try {
			const state = await ask(KEEP);
			for (const name of Object.keys(KEYS)) replaceTable(name, state[name] ?? []);
		} finally {
			underway.delete(overtaking);
		}
		for (const [name, item] of overtaking) put(name, item);
		loaded = true;
		notify();
	};

	/** After events were lost, the total differs from the number of records held here. */
	const missing = (name) => tables[name].size !== Math.min(general.totals[name] ?? 0, KEEP);

	const refreshTotals = async () => {
		await ask(0);
		if (['links', 'transactions', 'callbacks'].some(missing)) await refresh();
		notify();
	};

	const refreshSoon = () => {
		if (refreshTimer !== null) return;
		refreshTimer = setTimeout(() => {
			refreshTimer = null;
			refreshTotals().catch(() => {});
		}, REFRESH_MS);
	};

	const setConnection = (value) => {
		connection = value;
		notify();
	};

	const connect = () => {
		const source = new EventSource('/sandbox/events');
		source.addEventListener('open', () => {
			failures = 0;
			setConnection('live');
			// What happened before the stream opened is in the state.
			refresh().catch(() => {});
		});
		source.addEventListener('error', () => {
			// The browser's own retry gives up after some errors, so this one replaces it.
			source.close();
			setConnection('lost');
			const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
			failures += 1;
			setTimeout(connect, wait);
		});
		for (const [event, name] of Object.entries(EVENTS)) {
			source.addEventListener(event, (message) => {
				const item = JSON.parse(message.data);
				put(name, item);
				for (const overtaking of underway) overtaking.push([name, item]);
				refreshSoon();
				notify();
			});
		}
		for (const event of ['reset', 'fault', 'switches']) {
			source.addEventListener(event, () => {
				for (const overtaking of underway) overtaking.length = 0;
				refresh().catch(() => {});
			});
		}
	};

	return {
		general,
		connect,
		refresh,
		onChange: (listener) => listeners.add(listener),
		get connection() {
			return connection;
		},
		get loaded() {
			return loaded;
		},
		/** How many the sandbox has, of which the newest are held here. */
		size: (name) => Math.max(tables[name].size, general.totals[name] ?? 0),
		get: (name, key) => tables[name].get(key),
		key: (name, item) => KEYS[name](item),
		values: (name) => tables[name].values(),
		/** Newest first. */
		list: (name) => [...tables[name].values()].reverse(),
	};
}
