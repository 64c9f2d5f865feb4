import { inspect } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode, type NodeResult, type RunNodeOptions } from '../../../dev/host/engine/index.mts';
import { NaivePayments } from '../../helpers/naive.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import {
	ALL_HOSTILE,
	answeringTokens,
	CANARIES,
	hitsIn,
	signaturesIn,
} from '../../helpers/soak/canary.mts';
import { forNaive, goodSheet, inFields } from '../../helpers/soak/sheet.mts';
import { startWire, type Wire } from '../../helpers/wire.mts';

const CALLBACK = 'https://shop.example.com/hook';
const OPTIONS = { timeoutSeconds: 1 };

const OPERATIONS: INodeParameters[] = [
	{ ...inFields(OPTIONS), callbackUrl: CALLBACK, orderReference: '={{ $json.reference }}' },
	{
		resource: 'paymentLink',
		operation: 'create',
		country: 'KE',
		amount: '={{ $json.amount }}',
		businessName: 'Shop',
		itemName: 'Item',
		callbackUrl: CALLBACK,
		options: OPTIONS,
	},
	{ resource: 'balance', operation: 'get', options: OPTIONS },
	{ resource: 'transaction', operation: 'get', reference: 'R', apiVersion: 'v2', options: OPTIONS },
	{ resource: 'paymentLink', operation: 'getAll', options: OPTIONS },
];

/** The ways in which a user may have things end. */
const SETTINGS: Array<Partial<RunNodeOptions>> = [
	{ onError: 'continueErrorOutput' },
	{ onError: 'stopWorkflow', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
];

const credentialOf = (url: string) => {
	const { secretKey, apiKey } = CANARIES;
	return demoCredential(url, { secretKey, apiKey });
};

/** Everything of a run that anybody could ever see, also what JSON would leave out. */
const shown = (result: NodeResult): string => {
	const whole = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity } as const;
	const parts = [result.run, result.log, result.staticData, result.nodeError, result.nodeHints];
	return JSON.stringify(parts) + inspect(parts, { ...whole, showHidden: true, breakLength: 1e6 });
};

let wire: Wire;
let printed = '';

beforeEach(() => {
	printed = '';
	for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
		jest.spyOn(console, method).mockImplementation((...words: unknown[]) => {
			printed += inspect(words, { depth: Infinity });
		});
	}
});

afterEach(async () => {
	jest.restoreAllMocks();
	await wire.close();
});

describe.each(ALL_HOSTILE)('a service that talks too much, with %s', (_, play) => {
	it('makes us show no secret', async () => {
		wire = await startWire(answeringTokens(play));
		// A link list needs a token, which is a secret as well.
		const runs = OPERATIONS.flatMap((parameters) =>
			SETTINGS.map(async (settings) =>
				runPayments(parameters, {
					credential: credentialOf(wire.url),
					items: goodSheet(2, 1),
					...settings,
				}),
			),
		);
		const seen = (await Promise.all(runs)).map(shown).join('\n') + printed;
		expect(wire.received.length).toBeGreaterThan(OPERATIONS.length);
		expect(hitsIn(seen, { ...CANARIES, ...signaturesIn(wire.received) })).toEqual([]);
	});
});

it('the search is right: the secrets did reach the service', async () => {
	wire = await startWire(answeringTokens(ALL_HOSTILE[1]![1]));
	for (const parameters of [...OPERATIONS, { resource: 'token', operation: 'get' }]) {
		await runPayments(parameters, { credential: credentialOf(wire.url), items: goodSheet(1, 1) });
	}
	const sent = wire.received.map(({ text, headers }) => text + JSON.stringify(headers)).join('\n');
	expect(hitsIn(sent, CANARIES)).toEqual(Object.keys(CANARIES));
	expect(Object.keys(signaturesIn(wire.received)).length).toBeGreaterThan(0);
});

it('a naive node shows them', async () => {
	const found = new Set<string>();
	for (const [name, play] of ALL_HOSTILE) {
		if (name === 'latency') continue;
		wire = await startWire(play);
		const result = await runNode(
			new NaivePayments(),
			forNaive({ body: { callback_url: CALLBACK } as never }),
			{
				items: [{}],
				credentials: { unifiedPaymentsApi: credentialOf(wire.url) },
				credentialTypes: [new UnifiedPaymentsApi()],
				onError: 'continueRegularOutput',
			},
		);
		const secrets = { ...CANARIES, ...signaturesIn(wire.received) };
		hitsIn(shown(result), secrets).forEach((name) => found.add(name.replace(/ .*/, '')));
		await wire.close();
	}
	wire = await startWire(() => undefined);
	expect([...found].sort()).toEqual(['secretKey', 'signature']);
});
