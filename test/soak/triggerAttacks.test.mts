import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../host/n8n/index.mts';
import { call, type Reply } from '../../host/shared/http.mts';
import { until } from '../../host/shared/until.mts';
import { CANARIES } from '../helpers/soak/canary.mts';
import { seenDuring } from '../e2e/host/support.mts';
import { RIGHT_TOKEN, shoot, type Hit, type Shot } from '../e2e/host/triggerSocket.mts';
import {
	callbacksOf,
	collect,
	leaksIn,
	LiveTrigger,
	rejectedOf,
	TOKEN,
	useTriggerDemo,
} from '../e2e/host/triggerSupport.mts';

const demo = useTriggerDemo();

const enc = encodeURIComponent;
const MB = 1024 * 1024;
const NOWHERE = 'http://127.0.0.1:9/';

const isAlive = async () => (await call(`${demo().host.url}/healthz`)).status === 200;

/** The answer, and whether n8n or the service noticed more than that. */
async function attack(live: LiveTrigger, shot: Shot) {
	const before = await live.count();
	let hit: Hit = { status: null, answer: null };
	const asked = await seenDuring(demo(), async () => {
		hit = await shoot(live.url, shot);
	});
	const executions = (await live.count()) - before;
	return { ...hit, executions, asked: asked.length, alive: await isAlive() };
}

const UNHARMED = { executions: 0, asked: 0, alive: true };
const refusal = (status: number, reason: string) => ({
	...UNHARMED,
	status,
	answer: { accepted: false, reason },
});

describe('what is refused at the door', () => {
	let live: LiveTrigger;
	let reference: string;
	beforeAll(async () => {
		live = await LiveTrigger.start(demo());
		// A payment that exists: were one of these believed, it would come out.
		({ reference } = await collect(demo(), '990200', NOWHERE));
	}, 120_000);

	const paid = () => JSON.stringify({ ref: reference, status: 'success' });

	const badTokens: Record<string, Shot> = {
		'no token': { query: '' },
		'an empty token': { query: 'token=' },
		'a token without a value': { query: 'token' },
		'a wrong token': { query: 'token=wrong' },
		'the token but its last character': { query: `token=${enc(TOKEN.slice(0, -1))}` },
		'the token and one character more': { query: `token=${enc(`${TOKEN}x`)}` },
		'the token and a NUL': { query: `token=${enc(TOKEN)}%00` },
		'the token in capitals': { query: `token=${enc(TOKEN.toUpperCase())}` },
		'the token encoded twice': { query: `token=${enc(enc(TOKEN))}` },
		'the token in a list': { query: `token[]=${enc(TOKEN)}` },
		'the token twice': { query: `token=${enc(TOKEN)}&token=${enc(TOKEN)}` },
		'the token after a wrong one': { query: `token=wrong&token=${enc(TOKEN)}` },
		'the token in an object': { query: `token[token]=${enc(TOKEN)}` },
		'the token under another name': { query: `Token=${enc(TOKEN)}` },
		'a token of __proto__': { query: `token[__proto__]=${enc(TOKEN)}` },
		'the token in headers': {
			query: '',
			headers: [
				'Content-Type: application/json',
				`Authorization: Bearer ${TOKEN}`,
				`token: ${TOKEN}`,
			],
		},
		'a pattern for every token': { query: 'token=.*' },
		'a token that is no valid encoding': { query: 'token=%E0%A4%A' },
	};

	it.each(Object.entries(badTokens))('%s', async (_, shot) => {
		expect(await attack(live, { ...shot, body: paid() })).toEqual(refusal(401, 'invalid_token'));
	});

	it('the token in the body', async () => {
		const body = JSON.stringify({ ref: reference, status: 'success', token: TOKEN });
		expect(await attack(live, { query: '', body })).toEqual(refusal(401, 'invalid_token'));
	});

	it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s', async (method) => {
		expect(await attack(live, { method, body: paid() })).toMatchObject({
			...UNHARMED,
			status: 404,
		});
	});

	const type = (value: string) => [`Content-Type: ${value}`];
	const form = [
		'--cut',
		'Content-Disposition: form-data; name="ref"',
		'',
		'PX',
		'--cut',
		'Content-Disposition: form-data; name="file"; filename="a.json"',
		'Content-Type: application/json',
		'',
		'{"ref":"PX"}',
		'--cut--',
		'',
	].join('\r\n');
	const misshapen: Record<string, [Shot, ReturnType<typeof refusal>]> = {
		XML: [
			{ headers: type('application/xml'), body: '<transaction><ref>PX</ref></transaction>' },
			refusal(415, 'not_json'),
		],
		'XML with an entity that grows': [
			{
				headers: type('text/xml'),
				body: '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a><ref>c</ref></a>',
			},
			refusal(415, 'not_json'),
		],
		'a form': [
			{ headers: type('application/x-www-form-urlencoded'), body: 'ref=PX&status=success' },
			refusal(415, 'not_json'),
		],
		'a multipart form': [
			{ headers: type('multipart/form-data; boundary=cut'), body: form },
			refusal(415, 'not_json'),
		],
		'no content type': [{ headers: [] }, refusal(415, 'not_json')],
		'an empty content type': [{ headers: ['Content-Type:'] }, refusal(415, 'not_json')],
		'plain text': [{ headers: type('text/plain') }, refusal(415, 'not_json')],
		'almost JSON': [{ headers: type('application/jsonp') }, refusal(415, 'not_json')],
		'a list': [{ body: '[]' }, refusal(400, 'not_an_object')],
		'a list of callbacks': [{ body: '[{"ref":"PX"}]' }, refusal(400, 'not_an_object')],
		null: [{ body: 'null' }, refusal(400, 'not_an_object')],
		'a text': [{ body: '"x"' }, refusal(400, 'not_an_object')],
		'a number': [{ body: '1' }, refusal(400, 'not_an_object')],
		false: [{ body: 'false' }, refusal(400, 'not_an_object')],
		'a key called __proto__': [
			{ body: '{"ref":"PX","__proto__":{"polluted":true}}' },
			refusal(400, 'unacceptable_json'),
		],
		'__proto__ in disguise, further in': [
			{ body: '{"ref":"PX","data":{"\\u005f_proto__":{"polluted":true}}}' },
			refusal(400, 'unacceptable_json'),
		],
		'constructor.prototype': [
			{ body: '{"ref":"PX","constructor":{"prototype":{"polluted":true}}}' },
			refusal(400, 'unacceptable_json'),
		],
		'15 MB': [{ body: `{"ref":"${'x'.repeat(15 * MB)}"}` }, refusal(413, 'too_large')],
		'15 MB without a content type': [
			{ headers: [], body: 'x'.repeat(15 * MB) },
			refusal(413, 'too_large'),
		],
		'15 MB in a few bytes': [
			{
				headers: [...type('application/json'), 'Content-Encoding: gzip'],
				body: gzipSync(`{"ref":"${'x'.repeat(15 * MB)}"}`),
			},
			refusal(413, 'too_large'),
		],
		'lists nested 50,000 deep': [
			{ body: `{"ref":"PX","data":${'['.repeat(50_000)}${']'.repeat(50_000)}}` },
			refusal(400, 'unacceptable_json'),
		],
		'objects nested 50,000 deep': [
			{ body: `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}` },
			refusal(413, 'too_large'),
		],
	};

	it.each(Object.entries(misshapen))('%s', async (_, [shot, expected]) => {
		expect(await attack(live, shot)).toEqual(expected);
	});

	// n8n reads the body before it asks the node.
	const unreadable: Record<string, Shot> = {
		'malformed JSON': { body: '{"ref":' },
		'JSON with a comment': { body: '{"ref":"PX"} // paid' },
		'no JSON at all': { body: 'ref=PX' },
	};

	it.each(Object.entries(unreadable))('%s', async (_, shot) => {
		expect(await attack(live, shot)).toMatchObject({ ...UNHARMED, status: 422 });
	});

	it.each<[string, Shot]>([
		['more than n8n takes', { body: `{"ref":"${'x'.repeat(17 * MB)}"}` }],
		[
			'more than n8n takes, in a few bytes',
			{
				headers: ['Content-Type: application/json', 'Content-Encoding: gzip'],
				body: gzipSync(Buffer.alloc(64 * MB, 'x')),
			},
		],
		[
			'a body that is not compressed as it says',
			{ headers: ['Content-Type: application/json', 'Content-Encoding: gzip'] },
		],
	])('%s', async (_, shot) => {
		const { status, ...rest } = await attack(live, shot);
		// n8n may hang up before all of it was sent.
		expect(status ?? 500).toBeGreaterThanOrEqual(400);
		expect(rest).toMatchObject(UNHARMED);
	});

	it('a sender that hangs up in the middle', async () => {
		expect(await attack(live, { body: paid(), cutAfter: 5 })).toMatchObject({
			...UNHARMED,
			status: null,
		});
	});

	it('leaves one line in the log each, with reason and address and no secret', async () => {
		const lines = () =>
			demo()
				.host.log()
				.split('\n')
				.filter((line) => line.includes('refused a callback'));
		const before = lines().length;
		await attack(live, { query: `token=${enc(`${TOKEN}x`)}`, body: paid() });
		const [line, ...more] = lines().slice(before);

		expect(more).toEqual([]);
		expect(line).toContain('invalid_token');
		expect(line).toContain('127.0.0.1');
		expect(line).not.toContain(TOKEN);
	});

	it('after all of it one true callback is one execution, and nothing is polluted', async () => {
		expect((await shoot(live.url, { body: paid() })).answer).toEqual({ accepted: true });
		const runs = await live.runs(1);

		expect(runs).toHaveLength(1);
		expect(callbacksOf(runs)).toMatchObject([{ verified: 'confirmed', state: 'success' }]);
		expect(JSON.stringify(runs[0]!.data)).not.toContain('polluted');
	});
});

describe('what the right token does not make true', () => {
	let live: LiveTrigger;
	beforeAll(async () => {
		live = await LiveTrigger.start(demo());
	}, 120_000);

	/** What came out of the one execution that it leads to. */
	const judged = async (body: unknown) => {
		const before = await live.count();
		const reply = await live.post(body);
		const run = (await live.runs(before + 1)).at(-1)!;
		return outcome(reply, run);
	};
	const outcome = (reply: Reply, run: Execution) => ({
		status: reply.status,
		run: run.status,
		callbacks: callbacksOf([run]),
		rejected: rejectedOf([run]),
	});
	const rejection = (reason: string, more: IDataObject = {}) => ({
		status: 200,
		run: 'success',
		callbacks: [],
		rejected: [{ event: 'callback.rejected', verified: false, reason, ...more }],
	});
	const made = async (amount: string) => (await collect(demo(), amount, NOWHERE)).reference;
	/** As the service itself would put it. */
	const record = (ref: string, changes: IDataObject = {}) => ({
		ref,
		amount: '990200.00',
		currency: 'KES',
		status: 'success',
		status_code: '200',
		...changes,
	});

	it('a forged "paid" of a payment that failed', async () => {
		const ref = await made('990401');
		await expectState(ref, 'failed');
		const body = record(ref, { amount: '990401.00' });
		expect(await judged(body)).toMatchObject(rejection('state_not_confirmed', { reference: ref }));
	});

	it('a forged "failed" of a payment that succeeded', async () => {
		const ref = await made('990200');
		const body = record(ref, { status: 'failed', status_code: '400' });
		expect(await judged(body)).toMatchObject(rejection('state_not_confirmed'));
	});

	it("another order's real reference, for the price of this order", async () => {
		const cheap = await made('100');
		await expectState(cheap, 'success');
		expect(await judged(record(cheap))).toMatchObject(rejection('amount_mismatch'));
	});

	it("another order's real reference inside this order's", async () => {
		const [mine, other] = [await made('990200'), await made('990200')];
		const body = { ref: mine, transaction: record(other) };
		expect(await judged(body)).toMatchObject(rejection('reference_mismatch'));
	});

	it.each([
		['amount', { amount: '9902000.00' }, 'amount_mismatch'],
		['amount by a cent', { amount: 990200.01 }, 'amount_mismatch'],
		['amount that is no amount', { amount: { value: '990200' } }, 'amount_mismatch'],
		['currency', { currency: 'GHS' }, 'currency_mismatch'],
	])('an altered %s', async (_, changes, reason) => {
		const body = record(await made('990200'), changes);
		expect(await judged(body)).toMatchObject(rejection(reason));
	});

	it.each<[string, unknown]>([
		['an empty object', {}],
		['a reference that is an object', { ref: { $ne: null } }],
		['a reference that is a list', { ref: ['PX'] }],
		['a reference of control characters', { ref: 'P\u0000X\r\n' }],
		['an endless reference', { ref: 'x'.repeat(10_000) }],
	])('%s', async (_, body) => {
		expect(await judged(body)).toMatchObject(rejection('no_reference'));
	});

	it('what may become true within a minute, and does not', async () => {
		const { sandbox } = demo();
		const pending = record(await made('990100'), { amount: '990100.00' });
		const foreign = sandbox.addPayout({ integration: 'second', status: 'success' });
		const unknown = [
			record('PX-none'),
			record(foreign.ref, { amount: String(foreign.amount), currency: foreign.currency }),
			{ ref: '../v2/get-unified-transaction-status' },
			{ ref: 'PX?type=payout' },
			{ ref: 'PX#' },
			{ ref: 'PX%2f..' },
			{ ref: "' OR 1=1 --" },
		];
		// Together, because each of them is asked about for more than a minute.
		const slow = await LiveTrigger.start(demo());
		const bodies = [pending, ...unknown];
		const began = Date.now();
		const seen = await seenDuring(demo(), async () => {
			const replies = await Promise.all(bodies.map(async (body) => await slow.post(body)));
			await until(
				'the end of the minute',
				async () => (Date.now() - began > 66_000 ? true : undefined),
				{ seconds: 70 },
			);
			const runs = await slow.runs(bodies.length);
			const outcomes = runs.map((run) => outcome(replies[0]!, run));
			for (const [body, reason] of [
				[pending, 'state_not_confirmed'] as const,
				...unknown.map((each) => [each, 'not_found'] as const),
			]) {
				const more = { reference: body.ref, mayBecomeTrue: true, callback: { body } };
				expect(outcomes.find((each) => each.rejected[0]?.reference === body.ref)).toMatchObject(
					rejection(reason, more),
				);
			}
		});
		const asked = seen.map(({ path, verdict }) => [path, verdict?.ok]);
		expect(new Set(asked.map(String))).toEqual(
			new Set(['/api/v3/get-unified-transaction-status,true']),
		);
		expect(asked).toHaveLength(bodies.length * 7);
	});
});

/** Waits for the payment to end. */
async function expectState(ref: string, state: string): Promise<void> {
	const now = () => demo().sandbox.state.transactions.find((each) => each.ref === ref)?.state;
	while (now() === 'pending') await new Promise((resolve) => setTimeout(resolve, 50));
	expect(now()).toBe(state);
}

describe('a callback that comes again and again', () => {
	it.each([
		['100 times, one after another', 100, false],
		['50 times at once', 50, true],
	])('%s, gives one item', async (_, times, atOnce) => {
		const live = await LiveTrigger.start(demo());
		const { reference } = await collect(demo(), '990200', NOWHERE);
		const body = { ref: reference, amount: '990200.00', currency: 'KES', status: 'success' };
		const statuses: number[] = [];
		const send = async () => void statuses.push((await live.post(body)).status);
		if (atOnce) await Promise.all(Array.from({ length: times }, send));
		else for (let sent = 0; sent < times; sent++) await send();
		const runs = await live.runs(times);

		expect(statuses).toEqual(Array(times).fill(200));
		expect(runs).toHaveLength(times);
		expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['success']));
		expect(callbacksOf(runs)).toHaveLength(1);
		expect(rejectedOf(runs)).toEqual([]);
		expect(await isAlive()).toBe(true);
	});

	it('with every state in every order never goes back', async () => {
		const live = await LiveTrigger.start(demo(), { verification: 'token' });
		const sent = ['pending', 'success', 'pending', 'success', 'pending'];
		for (const [index, status] of sent.entries()) {
			await live.post({ ref: 'PX-order', status });
			await live.runs(index + 1);
		}

		expect(callbacksOf(await live.runs(sent.length)).map(({ state }) => state)).toEqual([
			'pending',
			'success',
		]);
	});
});

describe('the other locks', () => {
	const body = JSON.stringify({ ref: 'PX-lock', status: 'success' });
	const shots = async (parameters: INodeParameters, all: Shot[]) => {
		const live = await LiveTrigger.start(demo(), parameters);
		const hits: unknown[] = [];
		for (const shot of all) {
			const { status, answer, executions, asked } = await attack(live, { body, ...shot });
			hits.push([status, (answer as { reason?: string }).reason, executions, asked]);
		}
		return hits;
	};
	const json = 'Content-Type: application/json';

	it('addresses: what a sender says about its own address does not count', async () => {
		const options = { ipAllowList: '10.0.0.0/8, 2001:db8::/32' };
		const forged = ['X-Forwarded-For: 10.0.0.1', 'X-Real-IP: 10.0.0.1', 'Forwarded: for=10.0.0.1'];
		const refused = [403, 'address_not_allowed', 0, 0];

		expect(
			await shots({ verification: 'token', options }, [{}, { headers: [json, ...forged] }]),
		).toEqual([refused, refused]);
	});

	it('addresses: one of the list gets in, when it has the token', async () => {
		const options = { ipAllowList: '10.0.0.0/8, 127.0.0.0/8' };

		expect(await shots({ verification: 'token', options }, [{ query: '' }, {}])).toEqual([
			[401, 'invalid_token', 0, 0],
			[200, undefined, 1, 0],
		]);
	});

	it('signatures: of these very bytes, with the key, and with the token beside', async () => {
		const sign = (key: string, text = body) => createHmac('sha256', key).update(text).digest('hex');
		const signed = (value: string) => [json, `X-Signature: ${value}`];
		const right = sign(CANARIES.secretKey);
		const refused = [401, 'invalid_signature', 0, 0];

		expect(
			await shots({ verification: 'hmac' }, [
				{},
				{ headers: signed('') },
				{ headers: signed(sign('wrong')) },
				{ headers: signed(sign('')) },
				{ headers: signed(right.slice(0, -1)) },
				{ headers: [json, `X-Signature: ${right}`, `X-Signature: ${right}`] },
				{ headers: signed(right), body: `${body} ` },
				{ headers: signed(right), query: '' },
				{ headers: signed(right) },
			]),
		).toEqual([
			...Array<unknown>(7).fill(refused),
			[401, 'invalid_token', 0, 0],
			[200, undefined, 1, 0],
		]);
	});

	it('a credential that lost its token: refused, not let in', async () => {
		const { client } = demo().host;
		const { guarded, sandbox } = demo();
		const credential = await client.createCredential('To lose', guarded.type, {
			baseUrl: sandbox.url,
			clientId: 'x',
			sender: 'x',
			secretKey: CANARIES.secretKey,
			callbackToken: TOKEN,
		});
		const live = await LiveTrigger.start(demo(), { verification: 'token' }, credential);
		await client.updateCredential(credential, {
			baseUrl: sandbox.url,
			clientId: 'x',
			sender: 'x',
			secretKey: CANARIES.secretKey,
			callbackToken: '',
		});

		expect(await attack(live, { body, query: RIGHT_TOKEN })).toEqual(refusal(403, 'not_set_up'));
		expect(await attack(live, { body, query: 'token=' })).toEqual(refusal(403, 'not_set_up'));
	});
});

it('no secret is in the log, at debug level, nor in any file of n8n', async () => {
	expect(await leaksIn(demo())).toEqual([]);
});
