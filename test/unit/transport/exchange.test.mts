import { Readable } from 'node:stream';

import {
	createExchange,
	mostFor,
	MOST_OF_LIST,
	readAnswer,
} from '../../../nodes/UnifiedPayments/transport/exchange.ts';

const MB = 1024 * 1024;
const streamOf = (...pieces: Array<string | Buffer>) =>
	Readable.from(pieces.map((each) => Buffer.from(each)));
const answerOf = async (body: unknown) =>
	await readAnswer({ statusCode: 201, headers: { a: 'b' }, body }, { bytes: 2 * MB, parts: 100 });
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
		const unread = { ...ANSWERED, body: null, unread: 'longer than 2048 KB' };
		expect(await answerOf(streamOf(Buffer.alloc(2 * MB), 'x', 'y'))).toEqual(unread);
	});

	it('of more parts than anybody would send is not, and its status counts', async () => {
		const most = `[${'{},'.repeat(98)}{}]`;
		expect(await answerOf(streamOf(most))).toEqual({ ...ANSWERED, body: most });
		const unread = { ...ANSWERED, body: null, unread: 'in more than 100 parts' };
		expect(await answerOf(streamOf(`[${most}]`))).toEqual(unread);
		expect(await answerOf(streamOf('['.repeat(101)))).toEqual(unread);
	});

	it.each([
		['a balance of nothing', '{},', mostFor('{}')],
		['a list of nothing', '{},', MOST_OF_LIST],
		['a list of lists', '[],', MOST_OF_LIST],
	])('as long as it may be, %s is not read', async (_, piece, most) => {
		const body = streamOf(
			`{"success":true,"data":[${piece.repeat(most.bytes / piece.length - 20)}`,
		);
		const answer = await readAnswer({ statusCode: 200, headers: {}, body }, most);
		expect(answer).toMatchObject({ unread: expect.stringMatching(/parts$/) as string });
	});

	it('may say back a request with a logo, and a list of 100,000 links is read', () => {
		expect(mostFor('x'.repeat(3 * MB)).bytes).toBeGreaterThan(4 * MB);
		expect(MOST_OF_LIST.bytes).toBe(10 * MB);
		expect(MOST_OF_LIST.parts).toBeGreaterThan(200_000);
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
			const answer = await send({ method: 'GET', url: '', most: { bytes: 1, parts: 1 } }, 0.05);
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
