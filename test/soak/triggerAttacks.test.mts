import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { call } from '../../host/shared/http.mts';
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
const JSON_TYPE = 'Content-Type: application/json';
const GZIP = [JSON_TYPE, 'Content-Encoding: gzip'];
const nested = (depth: number) => `{"ref":"PX","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;

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

	// Wrong ones in all their variety are in `test/integration/trigger`; here, what n8n makes of a query.
	it.each<[string, Shot]>([
		['no token', { query: '' }],
		['a token without a value', { query: 'token' }],
		['the token but its last character', { query: `token=${enc(TOKEN.slice(0, -1))}` }],
		['the token and a NUL', { query: `token=${enc(TOKEN)}%00` }],
		['the token encoded twice', { query: `token=${enc(enc(TOKEN))}` }],
		['the token in a list', { query: `token[]=${enc(TOKEN)}` }],
		['the token twice', { query: `token=${enc(TOKEN)}&token=${enc(TOKEN)}` }],
		['the token in an object', { query: `token[token]=${enc(TOKEN)}` }],
		['the token under another name', { query: `Token=${enc(TOKEN)}` }],
		['a token of __proto__', { query: `token[__proto__]=${enc(TOKEN)}` }],
		['the token in headers', { query: '', headers: [JSON_TYPE, `token: ${TOKEN}`] }],
		['a token that is no valid encoding', { query: 'token=%E0%A4%A' }],
	])('%s', async (_, shot) => {
		expect(await attack(live, { ...shot, body: paid() })).toEqual(refusal(401, 'invalid_token'));
	});

	it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s', async (method) => {
		const expected = { ...UNHARMED, status: 404 };
		expect(await attack(live, { method, body: paid() })).toMatchObject(expected);
	});

	const typed = (type: string, body?: string): Shot => ({
		headers: [`Content-Type: ${type}`],
		...(body !== undefined && { body }),
	});
	const large = `{"ref":"${'x'.repeat(15 * MB)}"}`;
	const form = '--cut\r\nContent-Disposition: form-data; name="ref"\r\n\r\nPX\r\n--cut--\r\n';
	const entities = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a><ref>c</ref></a>';
	it.each<[string, number, string, Shot]>([
		['XML with an entity that grows', 415, 'not_json', typed('text/xml', entities)],
		['a form', 415, 'not_json', typed('application/x-www-form-urlencoded', 'ref=PX')],
		['a multipart form', 415, 'not_json', typed('multipart/form-data; boundary=cut', form)],
		['no content type', 415, 'not_json', { headers: [] }],
		['an empty content type', 415, 'not_json', { headers: ['Content-Type:'] }],
		['plain text', 415, 'not_json', typed('text/plain')],
		['almost JSON', 415, 'not_json', typed('application/jsonp')],
		['a list', 400, 'not_an_object', { body: '[{"ref":"PX"}]' }],
		['null', 400, 'not_an_object', { body: 'null' }],
		['__proto__', 400, 'unacceptable_json', { body: '{"ref":"PX","\\u005f_proto__":{"a":1}}' }],
		['15 MB', 413, 'too_large', { body: large }],
		['15 MB without a content type', 413, 'too_large', { headers: [], body: large }],
		['15 MB in a few bytes', 413, 'too_large', { headers: GZIP, body: gzipSync(large) }],
		['lists nested 50,000 deep', 400, 'unacceptable_json', { body: nested(50_000) }],
	])('%s', async (_, status, reason, shot) => {
		expect(await attack(live, shot)).toEqual(refusal(status, reason));
	});

	it.each<[string, Shot]>([
		['malformed JSON', { body: '{"ref":' }],
		['JSON with a comment', { body: '{"ref":"PX"} // paid' }],
		['more than n8n takes', { body: `{"ref":"${'x'.repeat(17 * MB)}"}` }],
		[
			'more than that in a few bytes',
			{ headers: GZIP, body: gzipSync(Buffer.alloc(64 * MB, 'x')) },
		],
		['a body that is not compressed as it says', { headers: GZIP }],
		['a sender that hangs up in the middle', { body: '{"ref":"PX"}', cutAfter: 5 }],
	])('%s is refused by n8n itself', async (_, shot) => {
		const { status, ...rest } = await attack(live, shot);
		// n8n may hang up before all of it was sent.
		expect(status ?? 500).toBeGreaterThanOrEqual(400);
		expect(rest).toMatchObject(UNHARMED);
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

it('what may become true within a minute, and does not, is rejected', async () => {
	const live = await LiveTrigger.start(demo());
	/** As the service itself would put it. */
	const paid = { status: 'success', status_code: '200' };
	const record = (ref: string, amount: number | string, currency = 'KES'): IDataObject => ({
		...paid,
		ref,
		amount,
		currency,
	});
	const { reference } = await collect(demo(), '990100', NOWHERE);
	const foreign = demo().sandbox.addPayout({ integration: 'second', status: 'success' });
	const bodies: IDataObject[] = [
		record(reference, '990100.00'),
		record('PX-none', '5.00'),
		record(foreign.ref, foreign.amount, foreign.currency),
		...['../v2/get-unified-transaction-status', 'PX?type=payout', 'PX#', 'PX%2f..'].map((ref) => ({
			ref,
		})),
	];
	// Together, because each of them is asked about for more than a minute.
	const began = Date.now();
	const seen = await seenDuring(demo(), async () => {
		await Promise.all(bodies.map(async (body) => await live.post(body)));
		await until(
			'the end of the minute',
			async () => (Date.now() - began > 66_000 ? true : undefined),
			{ seconds: 70 },
		);
		const runs = await live.runs(bodies.length);
		expect(callbacksOf(runs)).toEqual([]);
		const rejected = rejectedOf(runs);
		expect(rejected).toHaveLength(bodies.length);
		for (const body of bodies) {
			const reason = body.ref === reference ? 'state_not_confirmed' : 'not_found';
			const expected = { verified: false, reason, mayBecomeTrue: true, callback: { body } };
			const own = rejected.find((each) => each.reference === body.ref);
			expect(own).toMatchObject({ event: 'callback.rejected', ...expected });
		}
	});
	const asked = new Set(seen.map(({ path, verdict }) => `${path} ${verdict?.ok}`));
	expect([...asked]).toEqual(['/api/v3/get-unified-transaction-status true']);
	expect(seen).toHaveLength(bodies.length * 7);
});

it.each([
	['100 times, one after another', 100, false],
	['50 times at once', 50, true],
])('a callback that comes %s, gives one item', async (_, times, atOnce) => {
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

	it('addresses: what a sender says about its own address does not count', async () => {
		const forged = ['X-Forwarded-For: 10.0.0.1', 'X-Real-IP: 10.0.0.1', 'Forwarded: for=10.0.0.1'];
		const refused = [403, 'address_not_allowed', 0, 0];
		const options = { ipAllowList: '10.0.0.0/8, 2001:db8::/32' };
		const all = [{}, { headers: [JSON_TYPE, ...forged] }];
		expect(await shots({ verification: 'token', options }, all)).toEqual([refused, refused]);
	});

	it('signatures: of these very bytes, with the key, and with the token beside', async () => {
		const sign = (key: string, text = body) => createHmac('sha256', key).update(text).digest('hex');
		const signed = (value: string) => [JSON_TYPE, `X-Signature: ${value}`];
		const right = sign(CANARIES.secretKey);
		const refused = [401, 'invalid_signature', 0, 0];

		expect(
			await shots({ verification: 'hmac' }, [
				{},
				{ headers: signed('') },
				{ headers: signed(sign('wrong')) },
				{ headers: signed(sign('')) },
				{ headers: signed(right.slice(0, -1)) },
				{ headers: [JSON_TYPE, `X-Signature: ${right}`, `X-Signature: ${right}`] },
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
		const { secretKey } = CANARIES;
		const data = { baseUrl: sandbox.url, clientId: 'x', sender: 'x', secretKey };
		const full = { ...data, callbackToken: TOKEN };
		const credential = await client.createCredential('To lose', guarded.type, full);
		const live = await LiveTrigger.start(demo(), { verification: 'token' }, credential);
		await client.updateCredential(credential, { ...data, callbackToken: '' });

		expect(await attack(live, { body, query: RIGHT_TOKEN })).toEqual(refusal(403, 'not_set_up'));
		expect(await attack(live, { body, query: 'token=' })).toEqual(refusal(403, 'not_set_up'));
	});
});

it('no secret is in the log, at debug level, nor in any file of n8n', async () => {
	expect(await leaksIn(demo())).toEqual([]);
});
