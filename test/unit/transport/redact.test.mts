import {
	hidden,
	Redactor,
	withoutTokens,
} from '../../../nodes/UnifiedPayments/transport/redact.ts';

const CANARY = 'canary secret/1+2=3';

const redactor = (...secrets: unknown[]) => {
	const made = new Redactor();
	made.add(secrets);
	return made;
};

describe('text', () => {
	it.each([
		['in a sentence', `The key ${CANARY} is wrong`, 'The key *** is wrong'],
		['in a URL', `?key=${encodeURIComponent(CANARY)}&a=b`, '?key=***&a=b'],
		['beside letters', `x${CANARY}y`, 'x***y'],
	])('masks a known secret %s', (_, text, expected) => {
		expect(redactor(CANARY).text(text)).toBe(expected);
	});

	it('masks all of a secret that holds another', () => {
		expect(redactor('secret', 'secret-and-more').text('secret-and-more secret')).toBe('*** ***');
		expect(redactor('secret-and-more', 'secret').text('secret-and-more secret')).toBe('*** ***');
	});

	it('cuts what is long, and never through a secret', () => {
		const most = 4000;
		expect(redactor(CANARY).text('x '.repeat(most / 2))).toBe('x '.repeat(most / 2));
		for (const at of [most - 30, most - 10, most - 1]) {
			const text = redactor(CANARY).text(`${'x '.repeat(at / 2)}${CANARY}${' y'.repeat(most)}`);
			expect(text).toMatch(/^(?:x )+(?:\*{0,3}(?: y)* ?)…$/);
			expect(text).toHaveLength(most + 1);
		}
	});

	it('knows nothing of what is no text, empty or too short to be told from an amount', () => {
		const made = redactor('', null, undefined, 1234567, '12345');
		expect(made.text('null undefined 1234567 12345')).toBe('null undefined 1234567 12345');
	});

	it('masks a secret of six characters, and one with half of a character', () => {
		expect(redactor('123456', 'half\ud800s').text('123456 half\ud800s')).toBe('*** ***');
	});

	it('takes a secret literally', () => {
		expect(redactor('a.c$&(b').text('a.c$&(b aXc$&(b')).toBe('*** aXc$&(b');
	});

	it("masks n8n's proof in any address", () => {
		const text = 'See https://n8n.example.com/webhook-waiting/7?signature=abc&upo=1, not b';
		expect(redactor().text(text)).toBe(text.replace('abc', '***'));
	});
});

describe('deep', () => {
	it('masks secrets wherever they stand and keeps the rest', () => {
		const value = {
			message: `key ${CANARY}`,
			list: [CANARY, { inner: [`x${encodeURIComponent(CANARY)}`] }, 7, null, true, undefined],
			amount: 1500.5,
			[CANARY]: 'as a name',
		};
		expect(redactor(CANARY).deep(value)).toEqual({
			message: 'key ***',
			list: ['***', { inner: ['x***'] }, 7, null, true, undefined],
			amount: 1500.5,
			'***': 'as a name',
		});
		expect(value.message).toBe(`key ${CANARY}`);
	});

	it.each([
		...['sig', 'signature', 'secret_key', 'secretKey', 'client_secret'],
		...['authorization', 'x-api-key'],
	])('masks whatever stands under %s', (key) => {
		for (const value of [{ any: ['thing'] }, 'text', 7]) {
			expect(redactor().deep({ [key]: value })).toEqual({ [key]: '***' });
		}
	});

	it.each(['sigma', 'signatures', 'my_signature', 'secret', 'token', 'reference'])(
		'leaves what stands under %s',
		(key) => {
			expect(redactor().deep({ [key]: 'value' })).toEqual({ [key]: 'value' });
		},
	);

	it("masks n8n's proof in its own addresses, whatever they are called, and in a callback URL", () => {
		const hook = 'https://n8n.example.com/webhook-waiting/7?signature=abc&upo=n.0';
		const masked = hook.replace('abc', '***');
		expect(redactor().deep({ ipn: hook, list: [`<${hook}>`] })).toEqual({
			ipn: masked,
			list: [`<${masked}>`],
		});
		expect(redactor().deep({ callback_url: 'https://a.example/?signature=x&amp;token=y' })).toEqual(
			{ callback_url: 'https://a.example/?signature=***&amp;token=***' },
		);
	});

	it('leaves references and links that look like a signature', () => {
		const digest = 'a1'.repeat(32);
		const data = {
			ref: digest,
			link: `https://pay.example.com/l/${digest}?signature=abc&token=def`,
			list: [Buffer.from(digest, 'hex').toString('base64')],
		};
		expect(redactor().deep(data)).toEqual(data);
	});

	it('cuts off what is nested without end, and reads what is 64 levels deep', () => {
		const nest = (levels: number): unknown => {
			let value: unknown = 'leaf';
			for (let level = 0; level < levels; level++) value = level % 2 ? { in: value } : [value];
			return value;
		};
		expect(redactor().deep(nest(64))).toEqual(nest(64));
		expect(JSON.stringify(redactor().deep(nest(65)))).toContain('[nested too deeply]');
		expect(JSON.stringify(redactor().deep(nest(50_000)))).toContain('[nested too deeply]');
	});

	it('does not pollute prototypes', () => {
		const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"a":1}}');
		const masked = redactor().deep(value) as Record<string, unknown>;
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		expect(JSON.stringify(masked)).toBe('{"__proto__":{"polluted":true},"constructor":{"a":1}}');
	});
});

it('a body that does not say a signature back is the same body', () => {
	const body = '{ "ref": "a" }';
	expect(hidden(body, 'b'.repeat(64))).toBe(body);
	expect(hidden(null, 'b')).toBeNull();
	expect(hidden(`<h1>${'b'.repeat(64)}</h1>`, 'b'.repeat(64))).toBe('<h1>***</h1>');
});

it('any proof in any address goes where nobody needs to read on', () => {
	expect(withoutTokens('/h?token=a&x=token=b&token[]=c#token=d')).toBe(
		'/h?token=***&x=token=b&token[]=***#token=d',
	);
});
