import {
	fresh,
	isOurs,
	openEnvelope,
	seal,
	SIGNATURE_DEFAULTS,
	unsignedEnvelope,
	withSignature,
} from '../../../nodes/UnifiedPayments/protocol/signing.ts';

const IDENTITY = { clientId: 'client-1', sender: 'Amina "Shop"', secretKey: 'secret-1' };
const FRESHNESS = { timestamp: 1767225600, salt: '00ff' };
const PARAMS = '{"amount":1000.50,"mobile":"254712345678"}';

const HEAD =
	'{"client_id":"client-1","sender":"Amina \\"Shop\\"","timestamp":1767225600,"salt":"00ff",';

/** Sealed when a test asks for it, so that mutation testing sees which test it belongs to. */
const sealed = () => seal(IDENTITY, SIGNATURE_DEFAULTS, PARAMS, FRESHNESS);

it('an envelope is written in one way only, with a signature or with the key that asks for one', () => {
	const [, signature] = /"signature":"([0-9a-f]{64})"/.exec(sealed())!;
	expect(sealed()).toBe(`${HEAD}"signature":"${signature}","params":${PARAMS}}`);
	expect(unsignedEnvelope(IDENTITY, PARAMS, FRESHNESS)).toBe(
		`${HEAD}"params":${PARAMS},"secret_key":"secret-1"}`,
	);
	const theirs = withSignature(IDENTITY, PARAMS, FRESHNESS, 'a"+/=');
	expect(theirs).toBe(`${HEAD}"signature":"a\\"+/=","params":${PARAMS}}`);
});

it('each attempt has whole Unix seconds and 16 random bytes of its own', () => {
	expect(fresh(1767225600999).timestamp).toBe(1767225600);
	const salts = Array.from({ length: 100 }, () => fresh(0).salt);
	expect(new Set(salts).size).toBe(100);
	for (const salt of salts) expect(salt).toMatch(/^[0-9a-f]{32}$/);
});

describe('openEnvelope', () => {
	const written = (changes: object = {}) =>
		withSignature({ ...IDENTITY, ...changes }, PARAMS, FRESHNESS, 'abc+/=');

	it('takes apart what we wrote', () => {
		expect(openEnvelope(IDENTITY, written())).toEqual({
			freshness: FRESHNESS,
			signature: 'abc+/=',
			paramsText: PARAMS,
		});
	});

	it('is not misled by params that hold an envelope', () => {
		const body = written();
		const nested = withSignature(IDENTITY, body, { timestamp: 5, salt: 'outer' }, 'outer');
		expect(openEnvelope(IDENTITY, nested)).toEqual({
			freshness: { timestamp: 5, salt: 'outer' },
			signature: 'outer',
			paramsText: body,
		});
	});

	it.each(['x","timestamp":1,"salt":"y","signature":"z","params":{}}', 'two\nlines\u2028here'])(
		'is not misled by the sender %j',
		(sender) => {
			const identity = { ...IDENTITY, sender };
			expect(openEnvelope(identity, written(identity))?.paramsText).toBe(PARAMS);
		},
	);

	it('is quick about a long body that is none', () => {
		const long = JSON.stringify({ logo: ',"timestamp":'.repeat(200_000) });
		const before = Date.now();
		expect(openEnvelope(IDENTITY, long)).toBeNull();
		expect(Date.now() - before).toBeLessThan(20_000);
	});

	it.each<[string, (body: string) => string]>([
		['params without an envelope', () => PARAMS],
		['no member at all', () => '{}'],
		["another client's", () => written({ clientId: 'c2' })],
		["another sender's", () => written({ sender: 'S2' })],
		['one in another order', (body) => `{"sender":"x",${body.slice(1)}`],
		['one with a space before params', (body) => body.replace(',"params"', ', "params"')],
		['one with a space before the salt', (body) => body.replace(',"salt"', ', "salt"')],
		['one with something behind it', (body) => `${body} `],
		['one with another member', (body) => `${body.slice(0, -1)},"extra":1]`],
		['one with too long a timestamp', (body) => body.replace('1767225600', '12345678901234567890')],
		['one with text before it', (body) => ` ${body}`],
		['one without a signature', () => unsignedEnvelope(IDENTITY, PARAMS, FRESHNESS)],
		['one whose timestamp is text', (body) => body.replace('1767225600', '"1767225600"')],
		['one whose timestamp is negative', (body) => body.replace('1767225600', '-1767225600')],
	])('leaves alone %s', (_, other) => {
		expect(openEnvelope(IDENTITY, other(written()))).toBeNull();
	});
});

describe('isOurs', () => {
	const opened = () => openEnvelope(IDENTITY, sealed())!;
	const ours = (changes: object) =>
		isOurs(IDENTITY, SIGNATURE_DEFAULTS, { ...opened(), ...changes });

	it('is true for what we sealed, and false with another key or recipe', () => {
		expect(ours({})).toBe(true);
		expect(isOurs({ ...IDENTITY, secretKey: 'k2' }, SIGNATURE_DEFAULTS, opened())).toBe(false);
		const sha512 = { ...SIGNATURE_DEFAULTS, algorithm: 'sha512' as const };
		expect(isOurs(IDENTITY, sha512, opened())).toBe(false);
	});

	it.each<[string, (signature: string) => object]>([
		[
			'another signature',
			(signature) => ({ signature: signature.replace(/^./, (c) => (c === '0' ? '1' : '0')) }),
		],
		['a shorter signature', (signature) => ({ signature: signature.slice(1) })],
		['a longer signature', (signature) => ({ signature: `${signature}0` })],
		['other params', () => ({ paramsText: '{}' })],
		['another timestamp', () => ({ freshness: { ...FRESHNESS, timestamp: 1 } })],
		['another salt', () => ({ freshness: { ...FRESHNESS, salt: '11' } })],
	])('is false for %s', (_, changes) => {
		expect(ours(changes(opened().signature))).toBe(false);
	});
});
