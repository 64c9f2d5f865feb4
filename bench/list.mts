/**
 * What it costs to find links in the list of payment links: `npm run bench:list -- [entries] [rows]`.
 * The peer is reading the same list as JSON, which everybody who asks for it has to do.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { withMark, writeMark } from '../nodes/UnifiedPayments/protocol/orderMark.ts';
import { matchLinks } from '../nodes/UnifiedPayments/rows/linkList.ts';

const [entries = 50_000, rows = 2_000] = process.argv.slice(2).map(Number);
const LONGEST_WORK_MS = 20;

const account = {
	baseUrl: 'https://pay.example.com',
	identity: { clientId: 'client', sender: 'Shop', secretKey: 'key' },
};

const linkOf = (index: number) => {
	const orderReference = `ORDER-2026-${index}`;
	const mark = writeMark(account, { orderReference, amount: '1250.5', currency: 'KES' }, '');
	return {
		mark,
		orderReference,
		knownByValues: false,
		params: {
			business_name: 'Amina Shop',
			item_name: `Order ${index}`,
			callback_url: withMark(
				`https://n8n.example.com/webhook/${'0'.repeat(36)}?token=secret`,
				mark,
			),
			redirection_url: 'https://shop.example.com/thanks',
			currency: 'KES',
			amount: '1250.50',
			country_id: 1,
			first_name: 'Amina',
			email: `customer${index}@example.com`,
			phone: '254712345678',
		},
	};
};

/** As the node does it: a turn of the event loop whenever it has worked for a while. */
function createYield() {
	let last = performance.now();
	return async () => {
		if (performance.now() - last < LONGEST_WORK_MS) return;
		await sleep(0);
		last = performance.now();
	};
}

interface Cost {
	cpuMs: number;
	longestHoldMs: number;
}

async function measure(work: () => Promise<unknown>): Promise<Cost> {
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	await sleep(20);
	delay.reset();
	const before = process.cpuUsage();
	const began = performance.now();
	const working = work();
	// What is done before the first wait holds the event loop, too.
	const atOnceMs = performance.now() - began;
	await working;
	const { user, system } = process.cpuUsage(before);
	await sleep(5);
	delay.disable();
	return {
		cpuMs: (user + system) / 1000,
		longestHoldMs: Math.max(atOnceMs, delay.max / 1e6),
	};
}

const all = Array.from({ length: entries }, (_, index) => linkOf(index));
const list = all.map(({ params }, index) => ({
	...params,
	id: index,
	link: `https://p.example/${index}`,
}));
const text = JSON.stringify({ success: true, message: 'Payment links.', data: list });
const wanted = all.slice(-rows);

let found = 0;
const parsing = await measure(async () => JSON.parse(text) as unknown);
const matching = await measure(async () => {
	const matches = await matchLinks(list, wanted, createYield());
	found = matches.filter(({ entry }) => entry !== null).length;
});

const line = (name: string, { cpuMs, longestHoldMs }: Cost) =>
	`${name.padEnd(24)}${cpuMs.toFixed(0).padStart(8)} ms CPU${longestHoldMs.toFixed(0).padStart(8)} ms longest hold`;

console.log(
	`${entries} entries (${(text.length / 1e6).toFixed(1)} MB), ${rows} rows: ${found} found`,
);
console.log(line('reading it as JSON', parsing));
console.log(line('matching', matching));
console.log(`matching ÷ reading: ${(matching.cpuMs / parsing.cpuMs).toFixed(2)} × CPU`);
