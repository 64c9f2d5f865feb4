import { Readable } from 'node:stream';

import { testCredential } from '../../../nodes/UnifiedPayments/transport/credentialTest.ts';
import { demoCredential } from '../../helpers/payments.mts';

type Asked = { uri: string; body: string; useStream?: boolean };
interface Sealed {
	params: object;
	signature: string;
}

const NOT_VERIFIED = { success: 'false', message: 'Request was not verified.', data: [] };
const ACCEPTED = 'The service accepted the credential';
const ENDING = " Then turn off 'Find Signature Settings', and save.";
const ASK = ` Ask its support how the signature is computed; docs/first-day.md has the questions.${ENDING}`;

let later = 0;
let clients = 0;
beforeEach(() => {
	[later, clients] = [0, clients + 1];
	const [real, now] = [setTimeout, Date.now];
	jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation(((run: () => void) => real(run, 0)) as never);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
});
afterEach(() => jest.restoreAllMocks());

/** Presses "Test" on a host whose service verifies only these, and gives out tokens. */
async function press(
	isVerified: (sealed: Sealed) => unknown,
	changes: object = { findSignature: true },
	no: unknown = NOT_VERIFIED,
	refusal: object = {},
) {
	let asked = 0;
	const request = async ({ uri, body, useStream }: Asked) => {
		asked++;
		const said = { statusCode: 200, headers: {} };
		const isRefused = !uri.endsWith('/get-token') && !isVerified(JSON.parse(body) as Sealed);
		if (isRefused) return useStream && { ...said, body: no, ...refusal };
		return { ...said, body: { success: true, data: { token: '1|t' } } };
	};
	const data = demoCredential('https://pay.example.com', { clientId: `c${clients}`, ...changes });
	const saved = { id: '', name: '', type: '', data };
	const { message } = await testCredential.call({ helpers: { request } } as never, saved);
	return { message, asked };
}

describe('the search for a signature says', () => {
	it('that none on the list was accepted', async () => {
		expect(await press(() => false)).toEqual({
			message: `The service accepted none of the 46 signatures that were tried, so it computes them in a way that is not on our list.${ASK}`,
			asked: 48,
		});
	});

	it('that one parameter is verified and two are not', async () => {
		const { message } = await press(({ params }) => Object.keys(params).length < 2);
		expect(message).toBe(
			`The service accepts the signature of a request with one parameter, and not with two.${ASK}`,
		);
	});

	it('that the service is too slow', async () => {
		const { message } = await press(() => (later += 20_000) === 0);
		expect(message).toBe(
			`The search ended after 3 signatures, because the service answers slowly. None of them was accepted.${ASK}`,
		);
	});

	it.each([
		[128, 'HMAC-SHA512', 'Hexadecimal'],
		[44, 'HMAC-SHA256', 'Base64'],
	])('what to enter for a signature of %i characters', async (length, algorithm, encoding) => {
		const { message } = await press(({ signature }) => signature.length === length);
		expect(message).toBe(
			`Found what the service accepts. Enter under 'Advanced': 'Signature Template' {client_id}|{sender}|{timestamp}|{salt}|{params} and 'Signature Algorithm' ${algorithm} and 'Signature Encoding' ${encoding}.${ENDING}`,
		);
	});

	it.each([
		[{ statusCode: 403 }, 'stopped'],
		[{ body: { success: false, message: 'Wrong hash', code: 1 }, statusCode: 401 }, 'stopped'],
		[{ body: { success: 'false', message: 'User not found.' } }, 'found'],
	])('that it is over when another answer comes: %j', async (other, end) => {
		const refusal = { statusCode: 200, body: NOT_VERIFIED };
		let tries = 0;
		const { message } = await press(
			() => void (++tries === 4 && Object.assign(refusal, other)),
			...[{ findSignature: true }, NOT_VERIFIED, refusal],
		);
		expect(message).toMatch(
			end === 'found' ? /^Found what/ : /^The search ended after 3 sig.*one of/,
		);
	});

	it('the same for ten minutes, and looks again after them', async () => {
		const all = async () => (await press(() => true)).asked;
		expect([await all(), await all()]).toEqual([2, 1]);
		later = 11 * 60_000;
		expect(await all()).toBe(2);
	});
});

describe('a request that was refused', () => {
	it.each([
		[{ success: false }, 401, true],
		[{ success: false }, 200, false],
		[{ success: false, message: 'Bad hash' }, 200, true],
		[{ success: false, message: 'User not found.' }, 200, false],
	])('with %j and %i: is the signature looked for: %j', async (no, statusCode, looks) => {
		const { message, asked } = await press(() => false, undefined, no, { statusCode });
		expect([asked > 2, message.startsWith('The service accepted none')]).toEqual([looks, looks]);
	});

	it('is told with what is known, and advice only where it is not', async () => {
		const { message } = await press(() => false, {});
		expect(message).toBe(
			"'Client ID' and 'Secret Key' are right: it is 'Sender', a setting under 'Advanced', or the clock of this machine. The service declined the test request: Request was not verified. (HTTP 200). If the settings of the signature are not known, turn on 'Find Signature Settings' under 'Advanced', and save.",
		);
		const other = await press(() => false, {}, { success: false, message: 'Closed today' });
		expect(other.message).toMatch(
			/^The service declined the test request: Closed today \(HTTP 200\)\. Check the values that were sent\.$/,
		);
	});

	it('because the clock is behind is told as that', async () => {
		const headers = { date: new Date(Date.now() + 600_000).toUTCString() };
		const { message } = await press(() => false, {}, NOT_VERIFIED, { headers });
		expect(message).toMatch(/^The clock of this machine is (?:59\d|60\d) seconds behind the clock/);
	});
});

it.each([
	['has no end', () => new Readable({ read() {} }), /ETIMEDOUT/],
	['is too long', () => Readable.from([Buffer.alloc(5e6)]), /longer than 4 MB/],
])('a reply that %s is ended', async (_, made, words) => {
	const body = made();
	expect((await press(() => false, {}, body)).message).toMatch(words);
	expect(body.destroyed).toBe(true);
});

it('a host that gives nothing is no reason to throw', async () => {
	const request = async () => undefined;
	const saved = { id: '', name: '', type: '', data: demoCredential('https://pay.example.com') };
	expect(await testCredential.call({ helpers: { request } } as never, saved)).toEqual({
		status: 'Error',
		message: 'The test could not be run',
	});
	expect(await press(() => true, {})).toEqual({ message: ACCEPTED, asked: 1 });
});
