import type { Switches } from '../../../dev/sandbox/index.mts';
import { COLLECT, LINK, usePayments } from '../../helpers/payments.mts';

const SECRETS = ['demo-secret-key', 'Wanjiru', '254712000111', 'wanjiru@example.com', 'ORDER-77'];

const { credential, run, sandbox } = usePayments({ settleDelayMs: 0 });

interface Finding {
	assumption: string;
	holds: string;
	seen: string;
	advice: string;
}

async function diagnosed(parameters: object = {}, account: object = {}) {
	const { successJson } = await run(
		{ resource: 'account', operation: 'diagnose', ...parameters },
		[{}],
		{ credential: { ...credential(), ...account } },
	);
	const findings = successJson as unknown as Finding[];
	const text = JSON.stringify(findings);
	for (const secret of SECRETS) expect(text).not.toContain(secret);
	return (words: RegExp) => findings.find(({ assumption }) => words.test(assumption))!;
}

/** A link of a customer that was paid. */
async function paidLink(): Promise<void> {
	const email = 'wanjiru@example.com';
	const additionalFields = { firstName: 'Wanjiru', phone: '254712000111', email };
	const callbackUrl = 'http://127.0.0.1:9/paid';
	await run({ ...LINK, callbackUrl, additionalFields }, [{ amount: 1234.5, item: 'For Wanjiru' }]);
	await fetch(`${sandbox.url}/sandbox/links/${sandbox.state.links[0]!.reference}/pay`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ outcome: 'success' }),
	});
}

it('an account where all is as assumed: nothing is no, and nothing is made', async () => {
	await paidLink();
	const { length } = sandbox.state.links;
	const of = await diagnosed();
	const sure = [/token$/, /signed/, /list of links/, /its address/, /a reference/, /kept whole/];
	expect(sure.map((words) => of(words).holds)).toEqual(Array(6).fill('yes'));
	expect(of(/words for the state/)).toMatchObject({
		holds: 'yes',
		seen: 'Words that were seen: success',
	});
	expect(of(/Numbers/)).toMatchObject({ holds: 'yes' });
	expect(of(/Numbers/).seen).not.toMatch(/[1-9]/);
	expect(sandbox.state.links).toHaveLength(length);
});

/** All that a finding depends on, and each value of the rest in half of them. */
const COMBINATIONS = (['spec', 'rich'] as const).flatMap((mode) =>
	(['callbackUrl', 'fields', 'otherNames'] as const).flatMap((listEntries, list) =>
		(['whole', 'noQuery', 'cut255'] as const).map((callbackUrls, urls): Switches => ({
			mode,
			listEntries,
			callbackUrls,
			records: (list + urls) % 2 === 0 ? 'callbackUrl' : 'noCallbackUrl',
			statusBy: urls % 2 === 0 ? 'ref' : 'ownReference',
		})),
	),
);

it.each(COMBINATIONS)('with a link to try, nothing is a wrong yes or no: %j', async (switches) => {
	sandbox.change(switches);
	await paidLink();
	const of = await diagnosed({ tryWithLink: true });
	// A service that keeps 255 characters keeps all of an address that is no longer.
	const kept = switches.callbackUrls === 'noQuery' ? 'no' : 'yes';
	expect({
		reply: of(/reply to a create/).holds,
		kept: of(/kept whole/).holds,
		address: of(/its address/).holds,
		reference: of(/a reference/).holds,
		own: of(/order reference/).holds,
		states: of(/words for the state/).holds,
		numbers: of(/Numbers/).holds,
	}).toEqual({
		reply: switches.mode === 'rich' ? 'yes' : 'no',
		kept: switches.listEntries === 'fields' ? 'cannotTell' : kept,
		address: 'yes',
		reference: 'yes',
		own: 'cannotTell',
		states: 'yes',
		numbers: 'yes',
	});
	expect(sandbox.state.links).toHaveLength(2);
	expect(sandbox.state.links[0]).toMatchObject({ business_name: 'Demo Shop' });
});

/** An endpoint that errs, and for the list each way to authenticate. */
const TROUBLES = (
	[
		{ kind: 'server-error', status: 503, retryAfter: 0 },
		{ kind: 'rate-limit', retryAfter: 0 },
		{ kind: 'html', status: 403 },
		{ kind: 'html', status: 200 },
		{ kind: 'redirect', status: 302, location: 'https://elsewhere.example/' },
	] as const
).flatMap((fault) => [
	...['token', 'balance', 'paymentLink.list', 'status.v3', 'paymentLink.create'].map(
		(route) => ({ ...fault, route, listAuthentication: 'bearer' }) as const,
	),
	{ ...fault, route: 'paymentLink.list', listAuthentication: 'none' } as const,
]);

it.each(TROUBLES)(
	'$kind at $route, list $listAuthentication: no wrong yes or no',
	async ({ listAuthentication, ...fault }) => {
		await paidLink();
		sandbox.faults.add(fault);
		const of = await diagnosed({ tryWithLink: true }, { listAuthentication });
		const yes = [
			...[/token$/, /signed/, /its address/, /a reference/, /kept whole/],
			...[/words for the state/, /Numbers/],
		];
		const truths: Array<[about: RegExp, truth: string]> = [
			...yes.map((about): [RegExp, string] => [about, 'yes']),
			[/list of links/, listAuthentication === 'bearer' ? 'yes' : 'no'],
			[/reply to a create/, 'no'],
			[/order reference/, 'no'],
		];
		const wrong = truths.flatMap(([about, truth]) => {
			const { holds, seen } = of(about);
			return ['cannotTell', truth].includes(holds) ? [] : [{ about, truth, holds, seen }];
		});
		expect(wrong).toEqual([]);
	},
	30_000,
);

describe('with an item of the trigger', () => {
	/** What the trigger gives for the callback of a collection. */
	async function called(): Promise<{ callback: object; body: Record<string, unknown> }> {
		const hook = 'http://127.0.0.1:9/paid';
		await run(COLLECT, [{ amount: 990200, phone: '254712000111', order: 'ORDER-77', hook }]);
		const { body } = sandbox.state.callbacks[0]!;
		return { body: body as never, callback: { body, headers: { 'user-agent': 'Wanjiru' } } };
	}
	const asked = { amount: 990200, currency: 'KES' };

	it.each([
		['ref', 'no'],
		['ownReference', 'yes'],
	] as const)(
		'status by %s: the order reference that it states is asked for',
		async (by, holds) => {
			sandbox.change({ statusBy: by });
			const { callback } = await called();
			const item = { verified: 'confirmed', orderReference: 'ORDER-77', asked, callback };
			for (const given of [item, JSON.stringify(item)]) {
				const of = await diagnosed({ additionalFields: { callback: given } });
				expect(of(/^A callback names/)).toMatchObject({
					holds: 'yes',
					seen: expect.stringContaining('ref, transaction_detail') as string,
				});
				expect(of(/order of a payment/).holds).toBe('yes');
				expect(of(/given by the order reference/).holds).toBe(holds);
			}
		},
	);
});

it('a link that calls back to a trigger is there to be paid', async () => {
	const url = 'http://127.0.0.1:9/webhook/paid';
	const of = await diagnosed({ tryWithLink: true, additionalFields: { callbackUrl: url } });
	const { link, callback_url: sent } = sandbox.state.links[0]!;
	expect(sent).toMatch(/^http:\/\/127\.0\.0\.1:9\/webhook\/paid\?upo=1Test-link-/);
	expect(of(/is reported/)).toMatchObject({
		holds: 'cannotTell',
		seen: expect.stringContaining(link) as string,
	});
	expect(of(/kept whole/)).toMatchObject({ holds: 'yes' });
});
