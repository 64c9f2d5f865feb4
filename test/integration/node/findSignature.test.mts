import type { SandboxOptions } from '../../../dev/sandbox/index.mts';
import { demoCredential, pressTest, startTapped } from '../../helpers/payments.mts';
import { drawn, findable, KEYS, played, searchIn } from '../../helpers/signatures.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const opened = closing();
const start = async (signature?: SandboxOptions['signature']) =>
	opened(await startTapped({ signature }));

/** Between two tries of a search, which nobody has to wait for here. */
const PAUSE_MS = 400;
beforeEach(() => {
	const real = setTimeout;
	const hurried = (run: () => void, ms?: number) => real(run, ms === PAUSE_MS ? 0 : ms);
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(hurried as never);
});
afterEach(() => jest.restoreAllMocks());

const serve = async (answer: Parameters<typeof startWire>[0]) => opened(await startWire(answer));

const NOT_VERIFIED = { success: 'false', message: 'Request was not verified.', data: [] };
const isToken = (path: string) => path.endsWith('/get-token');
const GIVEN = { success: true, message: 'Credentials verified.', data: { token: '1|t' } };

describe('a signature that is refused', () => {
	it('is named as that, with the switch that helps, and nothing is tried without it', async () => {
		const service = await start({ template: '{salt}' });
		const { status, message } = await pressTest(service.credential());
		expect(status).toBe('Error');
		expect(message).toMatch(/^'Client ID' and 'Secret Key' are right/);
		expect(message).toMatch(/turn on 'Find Signature Settings' under 'Advanced'/);
		expect(service.tap.received).toHaveLength(2);
	});

	it('is looked for, and what to enter is what the service accepts', async () => {
		const template = '{client_id}{sender}{timestamp}{salt}{params}';
		const service = await start({ template, params: 'sorted' });
		const { message } = await pressTest(service.credential({ findSignature: true }));
		const found =
			/'Signature Template' (\S+) and 'Signature Algorithm' HMAC-(\S+) and 'Signature Encoding' (\w+)\./.exec(
				message,
			);
		expect(found?.slice(1)).toEqual([
			'{client_id}{sender}{timestamp}{salt}{params_sorted}',
			'SHA256',
			'Hexadecimal',
		]);
		expect(message).toMatch(/turn off 'Find Signature Settings'/);
		const asked = service.tap.received.length;
		expect(asked).toBeLessThan(10);
		expect(service.sandbox.state.links).toEqual([]);

		// n8n tests a credential whenever its dialog is opened.
		expect((await pressTest(service.credential({ findSignature: true }))).message).toBe(message);
		expect(service.tap.received.length - asked).toBe(2);

		const entered = service.credential({
			signatureTemplate: found?.[1] ?? '',
			findSignature: true,
		});
		expect(await pressTest(entered)).toMatchObject({ status: 'OK' });
	});

	it('whose parameters are sorted by the service is found out though the plain test passes', async () => {
		const service = await start({ params: 'sorted' });
		expect(await pressTest(service.credential())).toMatchObject({ status: 'OK' });
		const { message } = await pressTest(service.credential({ findSignature: true }));
		expect(message).toContain('|{params_sorted} and');
	});
});

it('a wrong secret is called a wrong secret, and nothing is looked for', async () => {
	const service = await start(7);
	const { message } = await pressTest(
		service.credential({ secretKey: 'wrong', findSignature: true }),
	);
	expect(message).toMatch(/^Wrong 'Secret Key' or 'Client ID'/);
	expect(service.tap.received).toHaveLength(2);
});

describe('the search ends', () => {
	it.each([
		['429', 429, { success: false, message: 'Slow down' }, /asked to slow down/],
		['a lock', 200, { success: 'false', message: 'Account locked' }, /Account locked/],
		[
			'the announcement of a lock',
			200,
			{ success: 'false', message: 'Request was not verified. 3 attempts left.' },
			/3 attempts left/,
		],
		['another status', 403, NOT_VERIFIED, /not verified/],
		['a fault', 503, {}, /could not handle/],
	])('at %s, with what the service said', async (_, status, body, words) => {
		const wire = await serve(({ path }, response, nth) => {
			if (isToken(path)) json(response, 200, GIVEN);
			else json(response, nth < 5 ? 200 : status, nth < 5 ? NOT_VERIFIED : body);
		});
		const { message } = await pressTest(demoCredential(wire.url, { findSignature: true }));
		expect(message).toMatch(words);
		expect(message).toMatch(/ended after 3 signatures/);
		expect(wire.received).toHaveLength(5);
	});

	it('before it began, when the first answer speaks of a lock or the clock is off', async () => {
		let date = new Date().toUTCString();
		let message = 'Request was not verified. Too many attempts.';
		const wire = await serve(({ path }, response) => {
			response.setHeader('Date', date);
			json(response, 200, isToken(path) ? GIVEN : { ...NOT_VERIFIED, message });
		});
		const credential = demoCredential(wire.url, { findSignature: true });
		expect((await pressTest(credential)).message).not.toMatch(/ended after|Find Signature/);
		message = 'Request was not verified.';
		date = new Date(Date.now() - 600_000).toUTCString();
		expect((await pressTest(credential)).message).toMatch(/60\d seconds ahead of the clock/);
		expect(wire.received).toHaveLength(4);
	});
});

describe('without pauses', () => {
	it.each(KEYS)('every kind of recipe is found, with the key %j', async (secretKey) => {
		const all = findable(secretKey);
		for (let at = 0; at < all.length; at += 17) {
			const recipe = all[at]!;
			const search = await searchIn(played(recipe), secretKey);
			expect(search).toMatchObject({ kind: 'found', recipe });
			expect(search.requests).toBeLessThanOrEqual(59);
		}
	});

	it('a recipe that is not on the list is told as that', async () => {
		const search = await searchIn(drawn(1, KEYS[1]), KEYS[1]);
		expect(search).toMatchObject({ kind: 'notFound', asked: 54 });
	});
});
