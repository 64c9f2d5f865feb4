/**
 * What it costs to find links in the list of payment links: `npm run bench:list -- [entries] [rows]`.
 * Peers: reading the same list as JSON, which everybody who asks for it has to do; and the same sheet
 * sent without looking for links.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode } from '../host/engine/index.mts';
import { DEMO_INTEGRATIONS, startSandbox, type Switches } from '../sandbox/index.mts';
import { UnifiedPayments } from '../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { withMark, writeMark } from '../../nodes/UnifiedPayments/payment/mark.ts';
import { matchLinks } from '../../nodes/UnifiedPayments/payment/matchLinks.ts';
import { createYield } from '../../nodes/UnifiedPayments/transport/limiter.ts';

const [entries = 50_000, rows = 2_000] = process.argv.slice(2).map(Number);
const account = {
	baseUrl: 'https://pay.example.com',
	identity: { clientId: 'client', sender: 'Shop', secretKey: 'key' },
};

const linkOf = (index: number) => {
	const orderReference = `ORDER-2026-${index}`;
	const mark = writeMark(
		account,
		{ orderReference, amount: '1250.5', currency: 'KES' },
		{ key: orderReference, by: 'orderReference' },
		{ workflowId: 'w', nodeId: 'n' },
	);
	const callbackUrl = withMark(
		`https://n8n.example.com/webhook/${'0'.repeat(36)}?token=secret`,
		mark,
	);
	return {
		reference: null,
		callbackUrl,
		sentBefore: false,
		orderReference,
		ownReference: null,
		isOneOfSeveral: false,
		mayBeTriedAgain: true,
		amount: '1250.5',
		currency: 'KES',
		mobile: null,
		params: {
			business_name: 'Amina Shop',
			item_name: `Order ${index}`,
			callback_url: callbackUrl,
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
	const matches = await matchLinks(list, wanted, account, createYield());
	found = matches.filter(({ entry }) => entry !== null).length;
});

const line = (name: string, { cpuMs, longestHoldMs }: Cost) =>
	`${name.padEnd(24)}${cpuMs.toFixed(0).padStart(8)} ms CPU${longestHoldMs.toFixed(0).padStart(8)} ms longest hold`;

console.log(
	`${entries} entries (${(text.length / 1e6).toFixed(1)} MB), ${rows} rows: ${found} found`,
);
console.log(line('JSON.parse', parsing));
console.log(line('matching', matching));
console.log(`matching ÷ JSON.parse: ${(matching.cpuMs / parsing.cpuMs).toFixed(2)} × CPU`);

const [demo] = DEMO_INTEGRATIONS;
const LANES = 50;
const ROUNDS = 3;

/** Rows a second of a sheet of new links, which are in the service's replies (rich) or only in its list. */
async function send(mode: Switches['mode'], round: number): Promise<number> {
	const sandbox = await startSandbox({ mode, settleDelayMs: Infinity, logLimit: 1 });
	try {
		const began = performance.now();
		const { successJson } = await runNode(
			new UnifiedPayments(),
			{
				resource: 'paymentLink',
				operation: 'create',
				inputMode: 'columns',
				columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
				options: { concurrency: LANES },
			},
			{
				items: all.slice(0, rows).map(({ orderReference }) => ({
					country: 'KE',
					amount: 100,
					'business name': 'Amina Shop',
					'item name': 'Rent',
					'order no': orderReference,
					'callback url': 'https://n8n.example.com/webhook/pay',
				})),
				credentials: {
					unifiedPaymentsApi: {
						baseUrl: sandbox.url,
						clientId: demo!.clientId,
						sender: demo!.title,
						secretKey: demo!.secretKey,
					},
				},
				credentialTypes: [new UnifiedPaymentsApi()],
				workflowId: `bench-${mode}-${round}`,
			},
		);
		const seconds = (performance.now() - began) / 1000;
		const linked = successJson.filter(({ link }) => link !== null).length;
		if (linked !== rows) throw new Error(`${linked} of ${rows} rows have a link`);
		return rows / seconds;
	} finally {
		await sandbox.close();
	}
}

const median = (numbers: number[]) =>
	numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const speeds = { with: [] as number[], without: [] as number[] };
await send('spec', 0);
for (let round = 1; round <= ROUNDS; round++) {
	speeds.without.push(await send('rich', round));
	speeds.with.push(await send('spec', round));
}
const [found1, found0] = [median(speeds.with), median(speeds.without)];
console.log(
	`${rows} links in ${LANES} lanes: ${found1.toFixed(0)} rows/s with links from the list, ${found0.toFixed(0)} with links in the replies`,
);
console.log(`list ÷ replies: ${(found1 / found0).toFixed(2)} (goal 0.90)`);
