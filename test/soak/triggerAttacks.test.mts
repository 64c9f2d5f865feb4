import { gzipSync } from 'node:zlib';

import { call } from '../../dev/host/shared/http.mts';
import { seenDuring } from '../e2e/host/support.mts';
import { markedQuery } from '../helpers/marks.mts';
import { demoCredential } from '../helpers/payments.mts';
import { shoot, type Hit, type Shot } from '../e2e/host/triggerSocket.mts';
import {
	callbacksOf,
	collect,
	leaksIn,
	LiveTrigger,
	useTriggerDemo,
} from '../e2e/host/triggerSupport.mts';

// Forgeries in all their variety are in `test/integration/trigger`; here, what a real n8n makes of bytes.
const demo = useTriggerDemo();

/** Made with another secret key. */
const THEIRS = markedQuery(demoCredential('http://127.0.0.1:9'), 'A-1');
const MB = 1024 * 1024;
const JSON_TYPE = 'Content-Type: application/json';
const GZIP = [JSON_TYPE, 'Content-Encoding: gzip'];
const large = `{"ref":"${'x'.repeat(15 * MB)}"}`;
const nested = `{"ref":"PX","data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
const form = '--cut\r\nContent-Disposition: form-data; name="ref"\r\n\r\nPX\r\n--cut--\r\n';
const entities = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a><ref>c</ref></a>';

const typed = (type: string, body: string): Shot => ({ headers: [`Content-Type: ${type}`], body });

let live: LiveTrigger;
let reference: string;
beforeAll(async () => {
	live = await LiveTrigger.start(demo());
	// A payment that exists: were one of these believed, it would come out.
	({ reference } = await collect(demo(), '990200', 'http://127.0.0.1:9/'));
}, 120_000);

const paid = () => JSON.stringify({ ref: reference, status: 'success' });

/** The answer, and whether n8n or the service noticed more than that. */
async function attack(shot: Shot) {
	const before = await live.count();
	let hit: Hit = { status: null, answer: null };
	const asked = await seenDuring(demo(), async () => {
		hit = await shoot(live.url, { body: paid(), ...shot });
	});
	const executions = (await live.count()) - before;
	const { status: health } = await call(`${demo().host.url}/healthz`);
	return { ...hit, executions, asked: asked.length, health };
}

const UNHARMED = { executions: 0, asked: 0, health: 200 };

it.each<[string, number, string, Shot]>([
	['a mark of somebody else', 401, 'invalid_mark', { query: THEIRS }],
	['a mark and a NUL', 401, 'invalid_mark', { query: `${THEIRS}%00` }],
	['a mark in __proto__', 401, 'invalid_mark', { query: THEIRS.replace('=', '[__proto__]=') }],
	['XML with an entity that grows', 415, 'not_json', typed('text/xml', entities)],
	['a form', 415, 'not_json', typed('application/x-www-form-urlencoded', 'ref=PX')],
	['a multipart form', 415, 'not_json', typed('multipart/form-data; boundary=cut', form)],
	['no content type', 415, 'not_json', { headers: [] }],
	['null', 400, 'not_an_object', { body: 'null' }],
	['__proto__', 400, 'unacceptable_json', { body: '{"ref":"PX","\\u005f_proto__":{"a":1}}' }],
	['15 MB', 413, 'too_large', { body: large }],
	['15 MB in a few bytes', 413, 'too_large', { headers: GZIP, body: gzipSync(large) }],
	['lists nested 50,000 deep', 400, 'unacceptable_json', { body: nested }],
])('%s is refused with %i', async (_, status, reason, shot) => {
	const answer = { accepted: false, reason };
	expect(await attack(shot)).toEqual({ ...UNHARMED, status, answer });
});

it.each<[string, Shot]>([
	['GET', { method: 'GET' }],
	['PUT', { method: 'PUT' }],
	['malformed JSON', { body: '{"ref":' }],
	['more than n8n takes', { body: `{"ref":"${'x'.repeat(17 * MB)}"}` }],
	['more in a few bytes', { headers: GZIP, body: gzipSync(Buffer.alloc(64 * MB, 'x')) }],
	['a body that is not compressed as it says', { headers: GZIP }],
	['a sender that hangs up in the middle', { cutAfter: 5 }],
])('%s is refused by n8n itself', async (_, shot) => {
	const { status, ...rest } = await attack(shot);
	// n8n may hang up before all of it was sent.
	expect(status ?? 500).toBeGreaterThanOrEqual(400);
	expect(rest).toMatchObject(UNHARMED);
});

it('after all of it one true callback is one execution, and no secret is in a log or file', async () => {
	expect((await shoot(live.url, { body: paid() })).answer).toEqual({ accepted: true });
	const runs = await live.runs(1);
	expect(runs).toHaveLength(1);
	expect(callbacksOf(runs)).toMatchObject([{ verified: 'confirmed', state: 'success' }]);
	expect(demo().host.log()).toMatch(/refused a callback.*invalid_mark/);
	expect(await leaksIn(demo())).toEqual([]);
});
