import * as access from '../../../nodes/UnifiedPayments/actions/account/diagnose/access.ts';
import * as callback from '../../../nodes/UnifiedPayments/actions/account/diagnose/callback.ts';
import type { Finding } from '../../../nodes/UnifiedPayments/actions/account/diagnose/finding.ts';
import * as links from '../../../nodes/UnifiedPayments/actions/account/diagnose/links.ts';
import * as payments from '../../../nodes/UnifiedPayments/actions/account/diagnose/payments.ts';
import { readMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { READER } from '../payment/reader.mts';
import { demoCredential } from '../../helpers/payments.mts';

const told = ({ assumption: _, ...finding }: Finding) =>
	Object.values(finding)
		.filter((each) => each !== '')
		.join(' | ');

const data = (value: unknown) => ({ value: { data: value } }) as never;
const failed = (kind: string, status: number | null, serviceMessage: string | null = null) =>
	({
		failure: { kind, status, serviceMessage, code: kind === 'network' ? 'EPIPE' : null },
	}) as never;
const clientWith = (credential: object, noticed: object = {}) =>
	({ credential: async () => credential, noticed: async () => noticed }) as never;

const DECLINED = failed('notAuthorized', 401, 'Request was not verified.');
const FIREWALL = failed('notAuthorized', 403);
const AWAY = failed('network', null);
const VERIFIED = 'The service said: Request was not verified. (HTTP 401)';
const UNDOCUMENTED = 'The service declined with a message that is not in its documentation';
const KEY_FIRST = "Cannot be told before 'Client ID' and 'Secret Key' are right";
const no = (seen: string) => `no | ${seen} | Send this line to the makers of this node.`;

it('the token', () => {
	const copy = 'Copy both again from the application of the service.';
	const fix = `Credential: 'Client ID', 'Secret Key', 'Auth URL' | ${copy}`;
	const asked = [data({}), DECLINED, FIREWALL, failed('notAuthorized', 403, 'About Amina')];
	asked.push(failed('refused', null, 'About Amina'), AWAY, failed('unreadable', 200));
	expect(asked.map((each) => told(access.ofToken(each)))).toEqual([
		'yes | A token was given',
		`no | ${VERIFIED} | ${fix}`,
		'cannotTell | Declined without a message of the service, perhaps by a firewall (HTTP 403)',
		`no | ${UNDOCUMENTED} (HTTP 403) | ${fix}`,
		`no | ${UNDOCUMENTED} | ${fix}`,
		'cannotTell | No usable answer: EPIPE',
		'cannotTell | No usable answer: unreadable (HTTP 200)',
	]);
});

it('the signature', () => {
	const fix =
		"Credential: 'Signature Template', 'Signature Algorithm', 'Signature Encoding' | " +
		"Turn on 'Find Signature Settings' in the credential, and test it. It says what to enter.";
	const two = `no | Accepted without parameters, but not with two. ${VERIFIED} | ${fix}`;
	const signed = (...asked: never[]) => told(access.ofSignature(asked[0]!, asked[1]!, asked[2]!));
	expect(signed(data({}), data([]), data([]))).toBe('yes | A signed request was accepted');
	expect(signed(data({}), DECLINED, DECLINED)).toBe(`no | ${VERIFIED} | ${fix}`);
	expect(signed(DECLINED, DECLINED, DECLINED)).toBe(`cannotTell | ${KEY_FIRST}`);
	expect(signed(data({}), data([]), DECLINED)).toBe(two);
	expect(signed(data({}), AWAY, DECLINED)).toBe(two);
	expect(signed(data({}), AWAY, data([]))).toBe('cannotTell | No usable answer: EPIPE');
});

it('the list', async () => {
	const listed = async (listAuthentication: string, token: never, list: never) => {
		const finding = await access.ofList(token, list, clientWith({ listAuthentication }));
		return `${finding.assumption.split('requests ')[1]}: ${told(finding)}`;
	};
	const fix = (way: string) =>
		`Credential: 'List Authentication' | Set it to '${way}', or ask the service how the list is authenticated.`;
	expect([
		await listed('bearer', data({}), data([1, 2])),
		await listed('bearer', data({}), data({})),
		await listed('bearer', DECLINED, DECLINED),
		await listed('bearer', AWAY, DECLINED),
		await listed('bearer', data({}), DECLINED),
		await listed('none', AWAY, DECLINED),
		await listed('none', data({}), AWAY),
	]).toEqual([
		'with a token: yes | A list with 2 links was given',
		"with a token: cannotTell | The reply has no list in 'data'",
		`with a token: cannotTell | ${KEY_FIRST}`,
		'with a token: cannotTell | There is no token to ask with',
		`with a token: no | ${VERIFIED} | ${fix('None')}`,
		`without a proof: no | ${VERIFIED} | ${fix('Bearer Token')}`,
		'without a proof: cannotTell | No usable answer: EPIPE',
	]);
});

it('clock and limits', async () => {
	const noticed = async (secondsAhead: number | null, slowedDown: number, limits: object) =>
		(await access.ofNoticed(clientWith({}, { secondsAhead, slowedDown, limits }))).map(told);
	const fix = "Node: 'Concurrency', 'Requests per Second' | Stay below the limit.";
	const none = 'cannotTell | It did not ask to slow down while this ran';
	const clock = 'Correct the clock of the machine that n8n runs on.';
	const both = { 'retry-after': '1', 'x-limit': '9'.repeat(50) };
	const off = 'Seconds that this machine is';
	expect([
		...(await noticed(null, 0, {})),
		...(await noticed(60, 0, { 'retry-after': '1' })),
		...(await noticed(0, 2, {})),
		...(await noticed(-61, 1, both)),
		...(await noticed(-60, 0, { 'x-limit': '9' })),
	]).toEqual([
		...['cannotTell | The service does not tell its time', none],
		...[`yes | ${off} ahead: 60`, none],
		...[`yes | ${off} ahead: 0`, `no | It asked to slow down | ${fix}`],
		`no | ${off} behind: 61 | ${clock}`,
		`no | retry-after: 1, x-limit: ${'9'.repeat(40)} | ${fix}`,
		...[`yes | ${off} behind: 60`, `no | x-limit: 9 | ${fix}`],
	]);
});

it('the entries of the list, by the names of their fields', () => {
	const of = (entries: object[], list = data(entries)) =>
		links.ofEntries(list, entries as never, READER).map(told);
	const [known, link] = [{ ref: 'R' }, { link: 'https://p.example/1', a: 1 }];
	expect(of([])).toEqual(Array(2).fill('cannotTell | There is no link in the list yet'));
	expect(of([], DECLINED)).toEqual(Array(2).fill('cannotTell | The list could not be read'));
	expect(of([{ 'Amina O': 1 }, known])).toEqual([no('Its fields: …'), 'yes | Its fields: …']);
	expect(of([link])).toEqual(['yes | Its fields: link, a', no('Its fields: link, a')]);
	expect(of([{}])[0]).toBe(no('Its fields: no fields'));
});

describe('a link that was made', () => {
	const own = { itemName: 'Test link 1', callbackUrl: 'https://x.example/a?b=1', isHeard: true };
	const made = (value: unknown) => ({ ...own, made: data(value) });
	const listed = (more: object) => [{ item_name: own.itemName, ...more }] as never;
	const link = 'https://p.example/1';

	it('is in the reply, in the list, or nowhere', () => {
		const seen = "The link 'Test link 1' was made; leave it unpaid. Fields of the reply's data:";
		const fix =
			"Node: 'Callback URL' | Give every link a callback URL, so that it can be found in the list. Nothing else is needed.";
		expect(told(links.ofReply(made({}), READER))).toBe(`no | ${seen} no fields | ${fix}`);
		expect(told(links.ofReply(made({ link }), READER))).toBe(`yes | ${seen} link`);
		const none = { ...own, made: DECLINED };
		expect(told(links.ofReply(none, READER))).toBe(`cannotTell | No link was made. ${VERIFIED}`);

		const way = `cannotTell | Pay this link, and give the item of the trigger to 'Callback': ${link}`;
		const lost =
			"cannotTell | The address of the link 'Test link 1' is not known. Pay it in the application of the service.";
		expect(links.ofOwnCallback(made({ link }), [], READER).map(told)).toEqual([way]);
		expect(links.ofOwnCallback(made({}), listed({ link }), READER).map(told)).toEqual([way]);
		expect(links.ofOwnCallback(made({}), listed({}), READER).map(told)).toEqual([lost]);
		expect(links.ofOwnCallback(none, [], READER).map(told)).toEqual([
			'cannotTell | No link was made',
		]);
		expect(links.ofOwnCallback({ ...made({}), isHeard: false }, [], READER)).toEqual([]);
	});

	it.each<[never, string | undefined, object]>([
		[
			data([{ currency: 'XXX' }, { currency: 'UGX' }]),
			undefined,
			{ currency: 'UGX', country_id: 11 },
		],
		[DECLINED, 'https://n8n.example/hook', { currency: 'KES', country_id: 1 }],
		[data({}), undefined, { currency: 'KES', country_id: 1 }],
	])('is of the smallest amount, in a currency of the account', async (balance, given, where) => {
		let sent: Record<string, unknown> = {};
		const credential = readCredential(demoCredential('https://pay.example.com'));
		const create = async (_: string, params: typeof sent) => {
			sent = params;
			return { ok: false, failure: 'why' };
		};
		const client = { credential: async () => credential, create };
		const { itemName, callbackUrl, isHeard, ...rest } = await links.makeLink(
			...[balance, given, {} as never, client as never],
		);
		expect(rest).toEqual({ made: { failure: 'why' } });
		expect(itemName).toMatch(/^Test link [^ ]{8}$/);
		const [item_name, business_name] = [itemName, credential.identity.sender];
		expect(sent).toEqual({
			...{ item_name, business_name, amount: '1', callback_url: callbackUrl },
			...where,
		});
		expect([isHeard, callbackUrl.length === 255]).toEqual([given !== undefined, !given]);
		expect(readMark(credential, callbackUrl)).toMatchObject({
			orderReference: itemName.replaceAll(' ', '-'),
			asked: { amount: 1, currency: sent.currency },
		});
	});

	it('keeps its callback URL, or a part of it', async () => {
		const kept = async (entries: never, of: object | null = made({})) =>
			told(await links.ofCallbackUrl(entries, of as never, clientWith({ identity: {} })));
		expect([
			await kept([{}] as never, null),
			await kept([] as never),
			await kept(listed({ to: own.callbackUrl })),
			await kept(listed({ to: 'https://x.example/a' })),
			await kept(listed({})),
		]).toEqual([
			"cannotTell | No listed link shows one. Turn on 'Try With a Link'.",
			'cannotTell | The new link is not in the list',
			'yes | All 23 characters are in the list',
			"no | The list has a part of it | Credential: 'Order in Callback URL' | Turn it off if the service refuses or cuts such addresses. Orders of payments are then not known.",
			'cannotTell | The list does not show callback URLs',
		]);
	});
});

it('the words for states', () => {
	const of = (...statuses: Array<string | undefined>) =>
		told(
			payments.ofStates(
				statuses.map((status) => ({ status })),
				READER,
			),
		);
	expect(of()).toBe('cannotTell | No payment was found to look at');
	expect(of('success', 'failed')).toBe('yes | Words that were seen: success, failed');
	expect(of('failed', '1 Amina', 'Amina 1', undefined)).toBe(
		'cannotTell | Words that were seen: failed, …, …, none',
	);
});

it('how numbers are written', () => {
	const of = (balance: never, ...records: object[]) =>
		told(payments.ofNumbers(balance, records as never));
	const written = 'Written like this, with 0 for every digit:';
	expect(of(DECLINED, { amount: null, fee: '' })).toBe(
		'cannotTell | No number was found to look at',
	);
	expect(of(data({}), { amount: 12, fee: 34 })).toBe(`yes | ${written} 00`);
	expect(of(data([{ balance: 1234.5 }]), { amount: '1,234.50 KES' })).toBe(
		no(`${written} 0000.0 "0,000.00 xxx"`),
	);
});

it('the status by order reference', async () => {
	const of = async (payment: object, record: object) => {
		const client = { credential: async () => READER, query: async () => ({ data: record }) };
		return told(await payments.ofOwnReference([payment] as never, {} as never, client as never));
	};
	const payment = { ref: 'R', third_party_reference_1: 'A' };
	expect(await of({ ref: 'R' }, {})).toMatch(/^cannotTell \| No payment .* has an order reference/);
	expect(await of(payment, { ref: 'R' })).toBe('yes | A payment was found by it');
	expect(await of(payment, { ref: 'S' })).toBe('cannotTell | Perhaps another payment was found by it');
});

describe('an item of the trigger', () => {
	it('proves something only if it was confirmed', () => {
		const body = { ref: 'R' };
		const of = (item: object) => [
			...callback.ofCallback({ ...item, callback: { body } }).map(told),
			callback.confirmedBody({ ...item, callback: { body } }),
		];
		const order = 'cannotTell | No order came with it. Was it given to the link?';
		const right = 'yes | It was called with the order, and its code is right';
		const names = 'Fields of its body: ref';
		const confirmed = { verified: 'confirmed' };
		expect(of({ ...confirmed, asked: {} })).toEqual([`yes | ${names}`, right, [body]]);
		expect(of(confirmed)).toEqual([`yes | ${names}`, order, [body]]);
		expect(of({ reason: 'no_reference', asked: {} })).toEqual([
			...[`cannotTell | Rejected as no_reference. ${names}`, order, []],
		]);
		expect(of({ reason: 'About Amina' })).toEqual([
			...[`cannotTell | It was not confirmed with the service. ${names}`, order, []],
		]);
		const odd = { ...confirmed, callback: { body: 'x' } };
		expect(callback.confirmedBody(odd)).toEqual([]);
		expect(told(callback.ofCallback(odd)[0]!)).toBe('yes | Fields of its body: no fields');
	});

	it.each(['{', '7', {}, { callback: 'x' }])('is not %j', (given) => {
		const reason = 'which is not an item of the trigger';
		expect(callback.callbackField.read(given)).toMatchObject({ ok: false, reason });
	});
});
