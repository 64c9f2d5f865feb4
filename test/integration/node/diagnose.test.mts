import type {
	ICredentialDataDecryptedObject,
	INodeParameters,
	INodePropertyOptions,
} from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { call } from '../../../dev/host/shared/http.mts';
import { startSandbox, type SandboxOptions, type Switches } from '../../../dev/sandbox/index.mts';
import { DEFAULT_SWITCHES } from '../../../dev/sandbox/switches.mts';
import {
	ADVICE,
	type Advice,
	type Finding,
	type Question,
} from '../../../nodes/UnifiedPayments/actions/account/finding.ts';
import { demoCredential, LINK, runPayments } from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { startWire } from '../../helpers/wire.mts';

/** What must never be seen: secrets, and whoever pays. */
const SECRETS = ['demo-secret-key', 'Wanjiru', '254712000111', 'wanjiru@example.com', 'ORDER-77'];

const { properties } = new UnifiedPaymentsApi();

const opened = closing();

/** Between two signatures that are tried, which nobody has to wait for here. */
const PAUSE_MS = 400;
beforeEach(() => {
	const real = setTimeout;
	const hurried = (run: () => void, ms?: number) => real(run, ms === PAUSE_MS ? 0 : ms);
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(hurried as never);
});
afterEach(() => jest.restoreAllMocks());

interface Odd {
	options?: SandboxOptions;
	switches?: Partial<Switches>;
	/** What becomes of the text of each reply. */
	says?: (text: string) => string;
	account?: ICredentialDataDecryptedObject;
	parameters?: INodeParameters;
}

/** A sandbox with a link that a customer has paid, and what *Diagnose* says of it. */
async function diagnosed({ options, switches, says, account, parameters }: Odd) {
	const sandbox = opened(await startSandbox({ settleDelayMs: 0, ...options }));
	const front = opened(
		await startWire(async ({ method, path, headers, text }, response) => {
			const sent = { method, headers: headers as never, body: method === 'GET' ? undefined : text };
			const { status, text: said } = await call(sandbox.url + path, sent);
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(says ? says(said) : said);
		}),
	);
	const own = demoCredential(front.url, {
		signatureTemplate: options?.signature ? TEMPLATE : '',
	});
	const additionalFields = { firstName: 'Wanjiru', phone: '254712000111' };
	const link = { ...LINK, callbackUrl: 'http://127.0.0.1:9/paid', additionalFields };
	await runPayments(link, { credential: own, items: [{ amount: 1234.5, item: 'For Wanjiru' }] });
	await call(`${sandbox.url}/sandbox/links/${sandbox.state.links[0]!.reference}/pay`, {
		method: 'POST',
		body: { outcome: 'success' },
	});
	if (switches) sandbox.change({ ...DEFAULT_SWITCHES, ...switches });
	const diagnose = async (changes: ICredentialDataDecryptedObject = {}) => {
		const before = sandbox.state.links.length;
		const { successJson } = await runPayments(
			{ resource: 'account', operation: 'diagnose', ...parameters },
			{ credential: demoCredential(front.url, { ...account, ...changes }), items: [{}] },
		);
		const findings = successJson as unknown as Finding[];
		for (const secret of SECRETS) expect(JSON.stringify(findings)).not.toContain(secret);
		return {
			made: sandbox.state.links.length - before,
			of: (question: Question) => findings.find((each) => each.question === question)!,
		};
	};
	return { sandbox, again: diagnose, ...(await diagnose()) };
}

const TEMPLATE = '{sender}{client_id}{timestamp}{salt}{params}';
const LISTS = {
	references: 'ref, reference',
	links: 'link, payment_link, payment_url, checkout_url, url',
	paid: 'success, successful, completed, paid',
};

type Expected = Partial<Record<Question, [Finding['holds'], Advice?, Finding['enter']?]>>;

const SANDBOXES: Array<[string, Odd, Expected]> = [
	[
		"the specification's own",
		{},
		{
			...{ token: ['yes'], signature: ['yes'], list: ['yes'], create: ['yes'] },
			...{ reference: ['yes'], link: ['yes'], callbackUrl: ['yes'], states: ['yes'] },
			ownOrder: ['cannotTell', 'payIt'],
		},
	],
	['with links in its replies', { switches: { mode: 'rich' } }, { link: ['yes'] }],
	[
		'that lists links under other names',
		{ switches: { listEntries: 'otherNames' } },
		{
			reference: ['no', 'enter', { 'Reference Fields': `${LISTS.references}, id` }],
			...{ link: ['yes'], callbackUrl: ['yes'], states: ['yes'] },
		},
	],
	[
		'whose links stand under a name of its own',
		{ says: (text) => text.replaceAll('"link":', '"payHere":') },
		{ link: ['no', 'enterIfAddress', { 'Link Fields': `${LISTS.links}, payHere` }] },
	],
	[
		'that cuts callback URLs',
		{ switches: { callbackUrls: 'noQuery' } },
		{ callbackUrl: ['no', 'urlsCut'] },
	],
	[
		'that lists no callback URLs',
		{ switches: { listEntries: 'fields' } },
		{ callbackUrl: ['cannotTell'], link: ['yes'] },
	],
	[
		'that lists with a token only, and a credential without',
		{ account: { listAuthentication: 'none' } },
		{ list: ['no', 'askForList', { 'List Authentication': 'Bearer Token' }] },
	],
	[
		'that signs in another way',
		{
			options: { signature: { template: TEMPLATE } },
			parameters: { findSignature: true },
		},
		{
			token: ['yes'],
			signature: [
				...(['no', 'enter'] as const),
				{
					'Signature Template': TEMPLATE,
					'Signature Algorithm': 'HMAC-SHA256',
					'Signature Encoding': 'Hexadecimal',
				},
			],
			create: ['cannotTell', 'runAgain'],
		},
	],
	[
		'whose key is another',
		{ account: { secretKey: 'wrong' }, parameters: { findSignature: true } },
		{
			...{ token: ['no', 'copyAgain'], signature: ['cannotTell', 'keyFirst'] },
			list: ['cannotTell', 'keyFirst'],
		},
	],
	[
		'with a word of its own for paid',
		{ says: (text) => text.replaceAll('"status":"success"', '"status":"settled"') },
		{
			states: ['cannotTell', 'enterIfPaid', { 'Success Statuses': `${LISTS.paid}, settled` }],
		},
	],
	[
		'that is away',
		{ says: () => '<h1>Back soon</h1>' },
		{ token: ['cannotTell', 'runAgain'], signature: ['cannotTell', 'runAgain'] },
	],
];

/** No link can be made where nothing is signed as it should be. */
const UNSIGNED = ['that signs in another way', 'whose key is another'];

it.each(SANDBOXES)('a service %s: right advice, and one link', async (name, odd, expected) => {
	const { of, made } = await diagnosed({
		...odd,
		parameters: { tryWithLink: true, ...odd.parameters },
	});
	const found = Object.fromEntries(
		Object.keys(expected).map((question) => {
			const { holds, advice, enter } = of(question as Question);
			return [question, { holds, advice, enter }];
		}),
	);
	const wanted = Object.entries(expected).map(([question, [holds, advice, enter = {}]]) => [
		question,
		{ holds, advice: advice === undefined ? '' : ADVICE[advice], enter },
	]);
	expect(found).toEqual(Object.fromEntries(wanted));
	expect(made).toBe(UNSIGNED.includes(name) ? 0 : 1);
});

/** What a user pastes, or picks, under these labels of the credential's dialog. */
const pasted = (enter: Finding['enter']): ICredentialDataDecryptedObject =>
	Object.fromEntries(
		Object.entries(enter).map(([label, value]) => {
			const field = properties.find(({ displayName }) => displayName === label)!;
			const choice = field.options?.find((option) => option.name === value) as
				INodePropertyOptions | undefined;
			expect(choice !== undefined).toBe(field.type === 'options');
			return [field.name, choice?.value ?? value];
		}),
	);

const WITH_ADVICE = SANDBOXES.filter(([, , expected]) =>
	Object.values(expected).some(([, , enter]) => enter),
);

it.each(WITH_ADVICE)('a service %s: the advice as it stands helps', async (_, odd, expected) => {
	const { of, again } = await diagnosed({
		...odd,
		parameters: { tryWithLink: true, ...odd.parameters },
	});
	const questions = (Object.keys(expected) as Question[]).filter((each) => expected[each]![2]);
	const changes = questions.map((question) => pasted(of(question).enter));
	const after = await again(Object.assign({}, ...changes));
	expect(questions.map((question) => after.of(question).holds)).toEqual(questions.map(() => 'yes'));
});

it('nothing is made without the switch', async () => {
	const { of, made } = await diagnosed({});
	expect(made).toBe(0);
	expect(of('callbackUrl').holds).toBe('yes');
	expect(of('create')).toBeUndefined();
});

it('a link to try calls back to nobody, or to the trigger that is named', async () => {
	const tryWithLink = true;
	const { sandbox } = await diagnosed({ parameters: { tryWithLink } });
	expect(new URL(sandbox.state.links[0]!.callback_url!).hostname).toBe('nobody.invalid');
	const callbackUrl = 'http://127.0.0.1:9/webhook/paid';
	const { sandbox: other } = await diagnosed({ parameters: { tryWithLink, callbackUrl } });
	expect(other.state.links[0]!.callback_url).toMatch(/^http:\/\/127\.0\.0\.1:9\/webhook\/paid\?/);
});
