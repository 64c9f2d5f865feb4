// What a service has its own words for is unknown, pending or null until the credential lists the words.
import type { IDataObject } from 'n8n-workflow';

import type { Switches } from '../../../dev/sandbox/index.mts';
import { COLLECT, LINK, outcomes, PATHS, usePayments } from '../../helpers/payments.mts';
import { useSleepers } from '../../helpers/waiting.mts';

const { posts, run, sandbox } = usePayments({
	onError: 'continueErrorOutput',
	settleDelayMs: 0,
});

const A1 = { amount: 50, order: 'A-1' };
const STATUS = { resource: 'transaction', operation: 'get' };
const final = (amount: number) => ({ amount, order: `A-${amount}` });
/** Pay and fail as soon as they are made. */
const [PAID, FAILED] = [final(990200), final(990401)];

/** A record in the sandbox, made by a row. */
const recordOf = async (row: IDataObject) => {
	await run(COLLECT, [row]);
	return sandbox.state.transactions[0]!.ref;
};
const first = async (...asked: Parameters<typeof run>): Promise<IDataObject> => {
	const { successJson, failedJson } = await run(...asked);
	return successJson[0] ?? (failedJson[0]!.error as IDataObject);
};
const get = async (row: IDataObject, account: IDataObject, more: IDataObject = {}) => {
	const reference = await recordOf(row);
	return await first({ ...STATUS, reference, ...more } as never, [{}], {
		account: account as never,
	});
};

type Case = [
	name: string,
	switches: Partial<Switches>,
	setting: IDataObject,
	ask: (account: IDataObject) => Promise<IDataObject>,
	before: object,
	after: () => object,
];

const link = async (account: IDataObject) => await first(LINK, [A1], { account: account as never });
const collection = async (account: IDataObject) =>
	await first(COLLECT, [A1], { account: account as never });
const linkMade = () => sandbox.state.links[0]!;
const recordMade = () => sandbox.state.transactions[0]!;

const CASES: Case[] = [
	[
		'the reference in the reply to a collection',
		{ mode: 'rich', referenceField: 'payment.id' },
		{ referenceFields: 'ref, payment.id' },
		collection,
		{ outcome: 'accepted', reference: null },
		() => ({ outcome: 'accepted', reference: recordMade().ref }),
	],
	[
		'the reference in the reply to a link',
		{ mode: 'rich', referenceField: 'number' },
		{ referenceFields: 'number' },
		link,
		{ outcome: 'accepted', reference: null, link: expect.any(String) as string },
		() => ({ outcome: 'accepted', reference: linkMade().reference, linkFrom: 'reply' }),
	],
	[
		'the reference in a listed link',
		{ referenceField: 'number' },
		{ referenceFields: 'number' },
		async (account) => {
			await run(LINK, [A1]);
			const { reference } = linkMade();
			const asked = { resource: 'paymentLink', operation: 'get', paymentLink: reference };
			return await first(asked, [{}], { account: account as never });
		},
		{ message: expect.any(String) as string },
		() => ({ number: linkMade().reference }),
	],
	[
		'the link in a reply, of a service that lists nothing of it',
		{ mode: 'rich', listEntries: 'fields', linkField: 'pay.here' },
		{ linkFields: 'pay.here' },
		link,
		{ outcome: 'accepted', link: null, linkFrom: null },
		() => ({ link: linkMade().link, linkFrom: 'reply' }),
	],
	[
		'the link in the list',
		{ linkField: 'goto' },
		{ linkFields: 'goto' },
		link,
		{ outcome: 'accepted', link: null, linkFrom: null },
		() => ({ link: linkMade().link, linkFrom: 'list' }),
	],
	[
		'the word for paid',
		{ successStatus: 'Settled' },
		{ successStatuses: 'ok, SETTLED' },
		async (account) => await get(PAID, account),
		{ state: 'pending' },
		() => ({ state: 'success' }),
	],
	[
		'the word for paid, where it is waited for',
		{ successStatus: 'Settled' },
		{ successStatuses: 'settled' },
		async (account) => {
			const wait = { operation: 'waitUntilFinal', maxWaitSeconds: 1, intervalSeconds: 1 };
			return await get(PAID, account, wait);
		},
		{ state: 'timedOut' },
		() => ({ state: 'success' }),
	],
	[
		'the word for not paid',
		{ failureStatus: 'Bounced', failureReason: 'empty' },
		{ failureStatuses: 'bounced' },
		async (account) => await get(FAILED, account),
		{ state: 'pending' },
		() => ({ state: 'failed' }),
	],
	[
		'the word for not paid, in version 2',
		{ failureStatus: 'Bounced' },
		{ failureStatuses: 'bounced' },
		async (account) => await get(FAILED, account, { apiVersion: 'v2' }),
		{ state: 'pending' },
		() => ({ state: 'failed' }),
	],
	[
		'the word for not paid, in the record of a payment whose answer was lost',
		{ statusBy: 'ownReference', failureStatus: 'Bounced', failureReason: 'empty' },
		{ failureStatuses: 'bounced' },
		async (account) => {
			sandbox.faults.add({ kind: 'reset-after', route: PATHS.collect });
			await first(COLLECT, [FAILED], { account: account as never });
			// A run that sent it itself does not know whether a failed record is that of an earlier try.
			return await first(COLLECT, [FAILED], { account: account as never });
		},
		{ outcome: 'duplicate' },
		() => ({ outcome: 'rejected' }),
	],
	[
		'a refusal of a collection',
		{ refusal: 'Below the minimum.' },
		{ finalRefusals: 'Something else\nbelow the MINIMUM\n' },
		async (account) => await first(COLLECT, [{ amount: 2e9 }], { account: account as never }),
		{ outcome: 'unknown' },
		() => ({ outcome: 'rejected' }),
	],
	[
		'a refusal of a link',
		{ refusal: 'Kiasi ni kidogo mno' },
		{ finalRefusals: 'kiasi ni kidogo mno!' },
		async (account) => await first(LINK, [{ amount: 2e9 }], { account: account as never }),
		{ outcome: 'unknown' },
		() => ({ outcome: 'rejected' }),
	],
];

describe.each(CASES)('%s', (_, switches, setting, ask, before, after) => {
	beforeEach(() => sandbox.change(switches));
	it('before it is listed', async () => expect(await ask({})).toMatchObject(before));
	it('after', async () => expect(await ask(setting)).toMatchObject(after()));
});

it.each([
	['referenceFields', { mode: 'rich' }, collection, { reference: null }],
	['linkFields', { mode: 'rich' }, link, { link: null, linkFrom: null }],
	['successStatuses', {}, async (account) => await get(PAID, account), { state: 'pending' }],
	[
		'failureStatuses',
		{ failureReason: 'empty' },
		async (account) => await get(FAILED, account),
		{ state: 'pending' },
	],
] as Array<[string, Partial<Switches>, Case[3], object]>)(
	'an emptied list of %s knows nothing, not even what is usual',
	async (setting, switches, ask, nothing) => {
		sandbox.change(switches);
		expect(await ask({ [setting]: '' })).toMatchObject(nothing);
	},
);

it('what was refused in unknown words is not sent again before they are taught', async () => {
	sandbox.change({ refusal: 'Below the minimum.' });
	const rows = [{ amount: 2e9, order: 'A-1' }];
	for (const known of [1, 1])
		expect([outcomes(await run(COLLECT, rows)), posts()]).toEqual([['unknown'], known]);
	// What is on record as unanswered stays so: the words came before the setting.
	const account = { finalRefusals: 'below the minimum' };
	expect([outcomes(await run(COLLECT, rows, { account })), posts()]).toEqual([['unknown'], 1]);
	const others = [{ amount: 2e9, order: 'B-2' }];
	for (const sent of [2, 3])
		expect([outcomes(await run(COLLECT, others, { account })), posts()]).toEqual([
			['rejected'],
			sent,
		]);
});

describe('executions that sleep', () => {
	const sleepers = useSleepers();
	const states = (items: IDataObject[]) => items.map(({ state }) => state);

	it.each<[string, Partial<Switches>, IDataObject]>([
		['the word for paid', { successStatus: 'Settled' }, { successStatuses: 'settled' }],
		['the reference in a callback', { referenceField: 'number' }, { referenceFields: 'number' }],
	])('%s wakes no link until it is listed', async (_, switches, setting) => {
		sleepers.sandbox.change(switches);
		const credentials = [{}, setting].map((more) => ({
			...{ baseUrl: sleepers.sandbox.url, clientId: 'demo-client' },
			...{ sender: 'Demo Shop', secretKey: 'demo-secret-key', ...more },
		}));
		const [deaf, hearing] = await Promise.all(
			credentials.map(async (credential, at) => {
				const rows = [{ amount: 10, order: `A-${at}` }];
				return await sleepers.links(rows, { credential: credential as never });
			}),
		);
		await sleepers.pay('A-0');
		await sleepers.pay('A-1');
		expect(states((await hearing!.awake()).json('Success'))).toEqual(['success']);
		await sleepers.answered(deaf!);
		expect(deaf!.result().status).toBe('waiting');
		expect(states((await deaf!.timeOut()).json('Success'))).toEqual(['timedOut']);
	});
});
