import { ADVICE } from '../../../nodes/UnifiedPayments/actions/account/finding.ts';
import type { SandboxOptions } from '../../../dev/sandbox/index.mts';
import { demoCredential, runPayments, startTapped } from '../../helpers/payments.mts';
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

const NOT_VERIFIED = { success: 'false', message: 'Request was not verified.', data: [] };
const GIVEN = { success: true, message: 'Credentials verified.', data: { token: '1|t' } };

/** What *Diagnose* says of the signature, and how often the balance was asked for. */
async function lookIn(
	credential: ReturnType<typeof demoCredential>,
	received: readonly { path: string }[],
	findSignature = true,
) {
	const before = received.length;
	const { successJson } = await runPayments(
		{ resource: 'account', operation: 'diagnose', findSignature },
		{ credential, items: [{}] },
	);
	const asked = received.slice(before).filter(({ path }) => path.includes('balance')).length;
	const found = successJson.find(({ question }) => question === 'signature')!;
	return { ...(found as { holds: string; enter: object; advice: string }), asked };
}

const TEMPLATE = '{client_id}{sender}{timestamp}{salt}{params}';

it('without the switch nothing is tried, and the switch is named', async () => {
	const service = await start({ template: '{salt}' });
	const found = await lookIn(service.credential(), service.tap.received, false);
	expect(found).toMatchObject({
		holds: 'no',
		advice: ADVICE.turnOnFind,
	});
	expect(found.asked).toBe(1);
});

it('what to enter is what the service accepts', async () => {
	const service = await start({ template: TEMPLATE, params: 'sorted' });
	const found = await lookIn(service.credential(), service.tap.received);
	expect(found).toMatchObject({
		holds: 'no',
		enter: {
			'Signature Template': '{client_id}{sender}{timestamp}{salt}{params_sorted}',
			'Signature Algorithm': 'HMAC-SHA256',
			'Signature Encoding': 'Hexadecimal',
		},
	});
	expect(found.asked).toBeLessThan(10);
	expect(service.sandbox.state.links).toEqual([]);
	const { 'Signature Template': signatureTemplate } = found.enter as Record<string, string>;
	const entered = service.credential({ signatureTemplate: signatureTemplate! });
	expect(await lookIn(entered, service.tap.received)).toMatchObject({ holds: 'yes' });
});

it.each([true, false])(
	'parameters that the service sorts are noticed, with the switch %j',
	async (isOn) => {
		const service = await start({ params: 'sorted' });
		const found = await lookIn(service.credential(), service.tap.received, isOn);
		expect(found.holds).toBe('no');
		if (isOn) {
			expect(found.enter).toMatchObject({
				'Signature Template': expect.stringContaining('{params_sorted}') as string,
			});
		}
	},
);

it('with a wrong secret nothing is looked for', async () => {
	const service = await start(7);
	const credential = service.credential({ secretKey: 'wrong' });
	const found = await lookIn(credential, service.tap.received);
	expect(found).toMatchObject({ holds: 'cannotTell', asked: 1 });
});

describe('the search ends', () => {
	it.each([
		['429', 429, { success: false, message: 'Slow down' }],
		['a lock', 200, { success: 'false', message: 'Account locked' }],
		[
			'the announcement of a lock',
			200,
			{ success: 'false', message: 'Request was not verified. 3 attempts left.' },
		],
		['another status', 403, NOT_VERIFIED],
		['a fault', 503, {}],
	])('at %s', async (_, status, body) => {
		let balances = 0;
		const wire = opened(
			await startWire(({ path }, response) => {
				if (!path.includes('balance')) json(response, 200, GIVEN);
				else if (++balances < 4) json(response, 200, NOT_VERIFIED);
				else json(response, status, body);
			}),
		);
		const found = await lookIn(demoCredential(wire.url), wire.received);
		expect(found).toMatchObject({ holds: 'cannotTell', asked: 4 });
	});

	it('before it began, where the first answer may be about a lock', async () => {
		const message = 'Request was not verified. Too many attempts.';
		const wire = opened(
			await startWire(({ path }, response) =>
				json(response, 200, path.includes('balance') ? { ...NOT_VERIFIED, message } : GIVEN),
			),
		);
		const found = await lookIn(demoCredential(wire.url), wire.received);
		expect(found).toMatchObject({ holds: 'cannotTell', asked: 1 });
	});
});

it('a clock that is off is named, and nothing is looked for', async () => {
	const wire = opened(
		await startWire(({ path }, response) => {
			response.setHeader('Date', new Date(Date.now() - 600_000).toUTCString());
			json(response, 200, path.includes('balance') ? NOT_VERIFIED : GIVEN);
		}),
	);
	const found = await lookIn(demoCredential(wire.url), wire.received);
	expect(found).toMatchObject({ holds: 'no', advice: ADVICE.setClock, asked: 1 });
});

describe('without pauses', () => {
	it.each(KEYS)('every kind of recipe is found, with the key %j', async (secretKey) => {
		const all = findable(secretKey);
		for (let at = 0; at < all.length; at += 17) {
			const recipe = all[at]!;
			const search = await searchIn(played(recipe), secretKey);
			expect(search).toMatchObject({ kind: 'found', recipe });
			expect(search.requests).toBeLessThanOrEqual(60);
		}
	});

	it('a recipe that is not on the list is told as that', async () => {
		const search = await searchIn(drawn(1, KEYS[1]), KEYS[1]);
		expect(search).toMatchObject({ kind: 'notFound', asked: 54 });
		expect(search.requests).toBeLessThanOrEqual(60);
	});
});
