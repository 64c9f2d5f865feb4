import { Readable } from 'node:stream';

import { createExchange, readAnswer } from '../../../nodes/UnifiedPayments/transport/exchange.ts';
import { createNoticing } from '../../../nodes/UnifiedPayments/transport/noticed.ts';

const MB = 1024 * 1024;
const streamOf = (...pieces: Array<string | Buffer>) =>
	Readable.from(pieces.map((each) => Buffer.from(each)));
const answerOf = async (body: unknown) =>
	await readAnswer({ statusCode: 201, headers: { a: 'b' }, body }, 2 * MB);
const ANSWERED = { kind: 'answered', status: 201, headers: { a: 'b' } };

describe('the body of a reply', () => {
	const crumbs = Array.from({ length: 200 }, (_, index) => String.fromCharCode(65 + (index % 26)));

	it.each<[string, unknown, unknown]>([
		['in pieces', ['{"a":', '1}'], '{"a":1}'],
		['in many small pieces', crumbs, crumbs.join('')],
		['with a byte order mark', ['\uFEFFx'], 'x'],
		['with one at its end', ['x\uFEFF'], 'x\uFEFF'],
		['of the longest length', [Buffer.alloc(2 * MB, 'x')], 'x'.repeat(2 * MB)],
		...[{ a: 1 }, null, 'text', { on: 1 }, { pause: 1 }].map((body): [string, unknown, unknown] => [
			`as ${JSON.stringify(body)}`,
			body,
			body,
		]),
	])('%s is read', async (_, given, read) => {
		const body = Array.isArray(given) ? streamOf(...(given as string[])) : given;
		expect(await answerOf(body)).toEqual({ ...ANSWERED, body: read });
	});

	it('that is too long is not, and its status counts', async () => {
		const unread = { ...ANSWERED, body: null, unread: 'longer than 2 MB' };
		expect(await answerOf(streamOf(Buffer.alloc(2 * MB), 'x', 'y'))).toEqual(unread);
	});

	it('that breaks off may be anything', async () => {
		const broken = (error?: object) => new Readable({ read() {} }).destroy(error as Error);
		const unknown = { kind: 'unanswered', sent: 'maybe', code: 'no reply' };
		expect(await answerOf(broken())).toEqual(unknown);
		const refused = broken(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
		expect(await answerOf(refused)).toEqual({ ...unknown, code: 'ECONNREFUSED' });
	});
});

describe('a request', () => {
	const signals: AbortSignal[] = [];
	const exchange = (body: unknown, cancel?: AbortSignal) => {
		const httpRequestWithAuthentication = async (
			_: string,
			options: { abortSignal: AbortSignal },
		) => {
			signals.push(options.abortSignal);
			return body === 'never'
				? await new Promise(() => {})
				: { statusCode: 200, headers: {}, body };
		};
		const context = { helpers: { httpRequestWithAuthentication } };
		const send = createExchange(context as never, {}, cancel);
		return async () => {
			const answer = await send({ method: 'GET', url: '', mostBytes: 1 }, 0.05);
			return [answer.kind === 'answered' ? answer.unread : answer, signals.pop()!.aborted];
		};
	};
	const gaveUp = (code: string) => [{ kind: 'unanswered', sent: 'maybe', code }, true];

	it('goes on after its answer, and is ended when the rest is not read', async () => {
		expect(await exchange(streamOf('x'))()).toEqual([undefined, false]);
		expect(await exchange(streamOf('xy'))()).toEqual([expect.stringMatching(/^longer/), true]);
	});

	it('ends with its time-out, each time', async () => {
		const send = exchange('never');
		for (let time = 0; time < 2; time++) expect(await send()).toEqual(gaveUp('ETIMEDOUT'));
	});

	it('ends when the execution is cancelled, and does not wait then', async () => {
		const cancel = new AbortController();
		const send = exchange('never', cancel.signal);
		const under = send();
		cancel.abort();
		expect(await under).toEqual(gaveUp('ERR_CANCELED'));
		expect(await send()).toEqual(gaveUp('ERR_CANCELED'));
	});
});

it('the headers of replies tell the clock and limits of the service', () => {
	const { notice, noticed } = createNoticing();
	expect(noticed()).toEqual({ secondsAhead: null, slowedDown: 0, limits: {} });
	const date = new Date(Date.now() - 90_000).toUTCString();
	notice({ kind: 'answered', status: 429, headers: { 'retry-after': 1 }, body: null });
	notice({ kind: 'answered', status: 200, headers: { 'x-ratelimit-limit': 5, date }, body: null });
	const { secondsAhead, ...others } = noticed();
	expect(others).toEqual({
		slowedDown: 1,
		limits: { 'retry-after': '1', 'x-ratelimit-limit': '5' },
	});
	expect(Math.abs(secondsAhead! - 90)).toBeLessThan(3);
});
