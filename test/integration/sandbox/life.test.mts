import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAGIC_VALUES, type Sandbox } from '../../../sandbox/index.mts';
import { COLLECTION, defaultOf, PATHS, signed, start, until } from './client.mts';

interface Received {
	body: Record<string, unknown>;
	raw: string;
	signature: string;
	contentType: string;
}

/** A shop that takes callbacks; `answers` are the statuses it gives, then 200. */
async function shop(...answers: number[]) {
	const received: Received[] = [];
	const server: Server = createServer((request, response) => {
		let raw = '';
		request.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk));
		request.on('end', () => {
			received.push({
				raw,
				body: JSON.parse(raw) as Record<string, unknown>,
				signature: String(request.headers['x-signature']),
				contentType: String(request.headers['content-type']),
			});
			response.writeHead(answers.shift() ?? 200, { location: 'http://127.0.0.1:9/' }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/cb?token=t`,
		received,
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await start({ mode: 'rich' });
});
afterEach(() => sandbox.close());

const collect = async (params: object): Promise<string> => {
	const { json } = await signed(sandbox, PATHS.collection, { ...COLLECTION, ...params });
	return (json.data as { reference: string }).reference;
};
const transaction = (ref: string) => sandbox.state.transactions.find((one) => one.ref === ref);
const settled = (ref: string) =>
	until(() => {
		const one = transaction(ref);
		return one?.state !== 'pending' && one;
	});

describe('magic values', () => {
	const failing = MAGIC_VALUES.filter(({ failure }) => failure !== null);

	it('has the reasons people meet', () => {
		expect(failing.map(({ failure }) => failure?.failureCode)).toEqual(
			expect.arrayContaining([
				'INSUFFICIENT_FUNDS',
				'WRONG_PIN',
				'USER_CANCELLED',
				'TIMEOUT',
				'LIMIT_EXCEEDED',
			]),
		);
	});

	it.each(failing.map((value) => [value.code, value.failure] as const))(
		'%s fails, by amount and by mobile',
		async (code, failure) => {
			for (const params of [{ amount: Number(code) }, { mobile: `254712${code}` }]) {
				const ref = await collect(params);
				expect(await settled(ref)).toMatchObject({
					status: 'failed',
					status_code: '400',
					failureReason: failure,
					history: [{ status: 'pending' }, { status: 'failed' }],
				});
				const { json } = await signed(sandbox, PATHS.statusV3, { id: ref, type: 'payin' });
				expect(json.data).toMatchObject({ status: 'failed', failureReason: failure });
			}
			expect(sandbox.state.wallets[0]?.balance).toBe(10_000);
		},
	);

	it('everything else is pending first and succeeds then', async () => {
		const slow = await start({ mode: 'rich', settleDelayMs: Infinity });
		const { json } = await signed(slow, PATHS.collection, COLLECTION);
		const { reference: id } = json.data as { reference: string };
		const status = async () =>
			(await signed(slow, PATHS.statusV3, { id, type: 'payin' })).json.data;
		expect(await status()).toMatchObject({ status: 'pending', status_code: '100' });
		slow.settle(id, 'success');
		expect(await status()).toMatchObject({ status: 'success', status_code: '200' });
		await slow.close();

		expect(await settled(await collect({}))).toMatchObject({ state: 'success', fee: 7.5 });
	});

	it('990200 is successful when the create is answered', async () => {
		const slow = await start({ mode: 'rich', settleDelayMs: Infinity });
		await signed(slow, PATHS.collection, { ...COLLECTION, amount: 990200 });
		expect(slow.state.transactions[0]?.state).toBe('success');
		await slow.close();
	});

	it('990100 stays pending until settled by hand', async () => {
		const ref = await collect({ amount: 990100 });
		await settled(await collect({}));
		expect(transaction(ref)?.state).toBe('pending');
		sandbox.settle(ref, { status: 'failed', failureCode: 'WRONG_PIN' });
		expect(transaction(ref)).toMatchObject({
			state: 'failed',
			failureReason: { failureCode: 'WRONG_PIN' },
		});
	});

	it('990101 answers late, but has accepted at once', async () => {
		const late = await start({ lateReplyMs: 60_000 });
		let answered = false;
		const reply = signed(late, PATHS.collection, { ...COLLECTION, amount: 990101 }).then(
			() => (answered = true),
			() => (answered = true),
		);
		await until(() => late.state.ledger.accepted === 1);
		await until(() => late.state.transactions[0]?.state === 'success');
		expect(answered).toBe(false);
		await late.close();
		await reply;
	});

	it('990102 settles after ten times the delay', async () => {
		const late = await start({ settleDelayMs: 200 });
		await signed(late, PATHS.collection, { ...COLLECTION, amount: 990102 });
		await signed(late, PATHS.collection, COLLECTION);
		await until(() => late.state.transactions[0]?.state === 'success');
		expect(late.state.transactions[1]?.state).toBe('pending');
		await until(() => late.state.transactions[1]?.state === 'success');
		await late.close();
	});

	const statuses = (received: Received[]) => received.map(({ body }) => body.status);

	it('990301 calls back twice', async () => {
		const { url, received, close } = await shop();
		await collect({ amount: 990301, callback_url: url });
		await until(() => received.length === 2);
		expect(received[0]?.raw).toBe(received[1]?.raw);
		expect(statuses(received)).toEqual(['success', 'success']);
		await close();
	});

	it('990302 calls back out of order', async () => {
		const { url, received, close } = await shop();
		const ref = await collect({ amount: 990302, callback_url: url });
		await until(() => received.length === 2);
		expect(statuses(received)).toEqual(['success', 'pending']);
		expect(transaction(ref)?.state).toBe('success');
		await close();
	});

	it('990303 never calls back', async () => {
		const { url, received, close } = await shop();
		const silent = await collect({ amount: 990303, callback_url: url });
		const other = await collect({ callback_url: url });
		await settled(silent);
		await until(() => received.length === 1);
		expect(received[0]?.body.ref).toBe(other);
		expect(sandbox.state.callbacks.map(({ reference }) => reference)).toEqual([other]);
		await close();
	});

	it('990304 calls back before the reply', async () => {
		const { url, received, close } = await shop();
		const ref = await collect({ amount: 990304, callback_url: url });
		expect(received.map(({ body }) => body.ref)).toEqual([ref]);
		await close();
	});
});

describe('callbacks', () => {
	it('send the v3 record with the caller’s references, signed', async () => {
		const { url, received, close } = await shop();
		const id = await collect({
			callback_url: url,
			third_party_reference_1: 'Ördér-1',
			third_party_reference_2: 'two',
		});
		const [one] = await until(() => received.length > 0 && received);
		const { json } = await signed(sandbox, PATHS.statusV3, { id, type: 'payin' });
		expect(one?.body).toEqual({
			...(json.data as object),
			third_party_reference_1: 'Ördér-1',
			third_party_reference_2: 'two',
		});
		const { secretKey } = defaultOf(sandbox);
		expect(one?.signature).toBe(
			createHmac('sha256', secretKey)
				.update(one?.raw ?? '')
				.digest('hex'),
		);
		expect(one?.contentType).toBe('application/json');
		await until(() => sandbox.state.callbacks[0]?.status === 'delivered');
		await close();
	});

	it('are tried again until accepted; a redirect is not followed', async () => {
		const { url, received, close } = await shop(500, 302);
		const ref = await collect({ callback_url: url });
		const callback = await until(() => {
			const [one] = sandbox.state.callbacks;
			return one?.status === 'delivered' && one;
		});
		expect(callback).toMatchObject({ reference: ref, url, body: { ref } });
		expect(callback.attempts.map(({ status }) => status)).toEqual([500, 302, 200]);
		for (const attempt of callback.attempts)
			expect(attempt).toEqual({
				at: expect.stringMatching(/^\d{4}-.*Z$/),
				status: expect.any(Number),
				error: null,
				durationMs: expect.any(Number),
			});
		expect(received).toHaveLength(3);
		await close();
	});

	it('wait longer before each further attempt', async () => {
		const patient = await start({ callbackRetry: { attempts: 3, firstDelayMs: 40, factor: 10 } });
		const { url, close } = await shop(500, 500);
		await signed(patient, PATHS.collection, { ...COLLECTION, callback_url: url });
		const { attempts } = await until(() => {
			const [one] = patient.state.callbacks;
			return one?.status === 'delivered' && one;
		});
		const [first = 0, second = 0, third = 0] = attempts.map(({ at }) => Date.parse(at));
		// Timers may be late, never early, except for the rounding of a millisecond.
		expect(second - first).toBeGreaterThanOrEqual(39);
		expect(third - second).toBeGreaterThanOrEqual(399);
		await patient.close();
		await close();
	});

	it('are given up after the last attempt, and can be sent again by hand', async () => {
		const { url, close } = await shop(500, 500, 500);
		await collect({ callback_url: url });
		const failed = await until(() => {
			const [one] = sandbox.state.callbacks;
			return one?.status === 'failed' && one;
		});
		expect(failed.attempts).toHaveLength(3);
		const again = await fetch(`${sandbox.url}/sandbox/callbacks/${failed.id}/redeliver`, {
			method: 'POST',
		});
		expect(again.status).toBe(200);
		await until(() => sandbox.state.callbacks[0]?.status === 'delivered');
		expect(sandbox.state.callbacks[0]?.attempts).toHaveLength(4);
		await close();
	});

	it('record why nobody could be reached', async () => {
		const { url, close } = await shop();
		await close();
		await collect({ callback_url: url });
		const failed = await until(() => {
			const [one] = sandbox.state.callbacks;
			return one?.status === 'failed' && one;
		});
		expect(failed.attempts).toHaveLength(3);
		expect(failed.attempts[0]).toMatchObject({
			status: null,
			error: expect.stringContaining('ECONNREFUSED'),
		});
	});

	it('of an old state do not arrive after a reset', async () => {
		const { url, received, close } = await shop();
		// Long enough that the first callback is still to come at the reset.
		const slow = await start({ settleDelayMs: 1500 });
		const order = (third_party_reference_1: string) =>
			signed(slow, PATHS.collection, {
				...COLLECTION,
				callback_url: url,
				third_party_reference_1,
			});
		await order('old');
		slow.reset();
		await order('new');
		await until(() => received.length > 0);
		await slow.close();
		expect(received.map(({ body }) => body.third_party_reference_1)).toEqual(['new']);
		await close();
	});
});

describe('settling by hand', () => {
	it('is not undone by the outcome that was on its way', async () => {
		const slow = await start({ settleDelayMs: 1500 });
		await signed(slow, PATHS.collection, COLLECTION);
		slow.settle(slow.state.transactions[0]?.ref ?? '', 'failed');
		await signed(slow, PATHS.collection, COLLECTION);
		await until(() => slow.state.transactions[0]?.state === 'success');
		expect(slow.state.transactions[1]).toMatchObject({ state: 'failed', status: 'failed' });
		expect(slow.state.transactions[1]?.history).toHaveLength(2);
		expect(slow.state.wallets[0]?.balance).toBe(10_492.5);
		await slow.close();
	});

	it('never changes a final state', async () => {
		const ref = await collect({ amount: 990200 });
		expect(() => sandbox.settle(ref, 'failed')).toThrow(/final/);
		expect(() => sandbox.settle('none', 'failed')).toThrow(/no transaction/);
		expect(transaction(ref)?.state).toBe('success');
		expect(sandbox.state.wallets[0]?.balance).toBe(10_000 + 990_200 - 14_853);
	});
});
