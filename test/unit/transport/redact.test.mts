import { Redactor, withoutTokens } from '../../../nodes/UnifiedPayments/transport/redact.ts';

const CANARY = 'canary secret/1+2=3';
/** With signs that are written in other ways somewhere. */
const ODD = `kéy<"&'/>!* ~=20`;
const HEX = { sha256: 'a1'.repeat(32), sha384: 'b2'.repeat(48), sha512: 'C3'.repeat(64) };
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

const redactor = (...secrets: unknown[]) => {
	const made = new Redactor();
	made.add(secrets);
	return made;
};

describe('text', () => {
	it.each([
		['in a sentence', `The key ${CANARY} is wrong`, 'The key *** is wrong'],
		['in a URL', `?token=${encodeURIComponent(CANARY)}&a=b`, '?token=***&a=b'],
		['beside letters', `x${CANARY}y`, 'x***y'],
	])('masks a known secret %s', (_, text, expected) => {
		expect(redactor(CANARY).text(text)).toBe(expected);
	});

	it('masks all of a secret that holds another', () => {
		expect(redactor('secret', 'secret-and-more').text('secret-and-more secret')).toBe('*** ***');
		expect(redactor('secret-and-more', 'secret').text('secret-and-more secret')).toBe('*** ***');
	});

	it('cuts what is long, and never through a secret', () => {
		const cut = (text: string) => redactor(CANARY).text(text);
		const [most, beyond] = [4000, 384];
		expect(cut('x '.repeat(most / 2))).toBe('x '.repeat(most / 2));
		for (const length of [most, most + 100, most + beyond, most + 1000]) {
			for (const at of [most - 30, most - 10, most - 1]) {
				const text = cut(`${'x '.repeat(at / 2)}${CANARY}${' y'.repeat(length - at)}`);
				expect(text).toMatch(/^(?:x )+(?:\*{0,3}(?: y)* ?)…$/);
				expect(text.length).toBeLessThanOrEqual(most + 1);
				expect(text.length).toBeGreaterThan(most - 40);
			}
		}
		expect(cut(CANARY.repeat(1000))).toMatch(/^\*+…$/);
		const long = 'long secret '.repeat(50);
		expect(redactor(long).text(' '.repeat(most - 9) + long.repeat(20))).toMatch(/^ +\**…$/);
		expect(redactor().text(' '.repeat(most + 1))).toBe(`${' '.repeat(most)}…`);
	});

	it('knows nothing of what is no text, empty or too short to be told from an amount', () => {
		const made = redactor('', null, undefined, 1234567, '12345');
		expect(made.text('null undefined 1234567 12345')).toBe('null undefined 1234567 12345');
	});

	it('masks a secret of six characters, and one with half of a character', () => {
		expect(redactor('123456', 'half\ud800s').text('123456 half\ud800s')).toBe('*** ***');
	});

	it.each([
		...['kéy&lt;&quot;&amp;&#039;/&gt;!* ~=20', `kéy&lt;&quot;&amp;'/&gt;!* ~=20`],
		...['kéy&lt;&quot;&amp;&#39;/&gt;!* ~=20', 'kéy&lt;&#34;&amp;&#39;/&gt;!* ~=20'],
		...['kéy&lt;&quot;&amp;&#x27;/&gt;!* ~=20', 'kéy&#60;&#34;&#38;&#39;/&#62;!* ~=20'],
		...['kéy&#x3c;&#x22;&#x26;&#x27;/&#x3e;!* ~=20', `k\\u00e9y<\\"&'\\/>!* ~=20`],
		...[`kéy\\u003c\\"\\u0026'/\\u003e!* ~=20`, `kéy\\u003c\\"\\u0026\\u0027/\\u003e!* ~\\u003d20`],
		...['k%C3%A9y%3C%22%26%27%2F%3E%21%2A%20~%3D20', 'k%C3%A9y%3C%22%26%27%2F%3E%21%2A+%7E%3D20'],
		...['k%c3%a9y%3c%22%26%27%2f%3e%21*+%7e%3d20', Buffer.from(ODD).toString('base64url')],
		...[Buffer.from(ODD).toString('hex'), Buffer.from(ODD).toString('hex').toUpperCase()],
	])('masks a secret as other languages write it: %s', (written) => {
		expect(redactor(ODD).text(`(${written})`)).toBe('(***)');
		expect(redactor('secret').text('c2VjcmV0')).toBe('***');
		expect(redactor('secret1').text('c2VjcmV0MQ')).toBe('***');
		expect(redactor(ODD).text(encodeURIComponent(encodeURIComponent(ODD)))).toBe('***');
	});

	it('takes a secret literally', () => {
		expect(redactor('a.c$&(b').text('a.c$&(b aXc$&(b')).toBe('*** aXc$&(b');
	});

	it.each([...Object.values(HEX), ...Object.values(HEX).map(base64)])(
		'masks the signature %s in a message',
		(signature) => {
			const made = redactor();
			expect(made.text(`Signature ${signature} is wrong`)).toBe('Signature *** is wrong');
			expect(made.text(`signature=${signature}.`)).toBe('signature=***.');
			expect(made.text(signature)).toBe('***');
		},
	);

	it.each([
		['a shorter text', 'a1'.repeat(20)],
		['a URL', 'https://payments.example.com/pay/0123456789/abcdefghijklmnopqrstuvwxyz0123456789'],
		['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
	])('leaves %s', (_, text) => {
		expect(redactor().text(`See ${text} there`)).toBe(`See ${text} there`);
	});

	it.each([
		['{"signature":"abc+/=","params":{}}', '{"signature":"***","params":{}}'],
		['"{\\"signature\\" : \\"abc\\",\\"a\\":1}"', '"{\\"signature\\" : \\"***\\",\\"a\\":1}"'],
	])('masks a signature that is said back as part of a body: %s', (text, expected) => {
		expect(redactor().text(text)).toBe(expected);
	});
});

describe('deep', () => {
	it('masks secrets wherever they stand and keeps the rest', () => {
		const value = {
			message: `key ${CANARY}`,
			list: [CANARY, { inner: [`x${CANARY}`] }, 7, null, true, undefined],
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
		expect(redactor().deep({ [key]: { any: ['thing'] } })).toEqual({ [key]: '***' });
	});

	it.each(['sigma', 'signatures', 'my_signature', 'secret', 'token', 'reference'])(
		'leaves what stands under %s',
		(key) => {
			expect(redactor().deep({ [key]: 'value' })).toEqual({ [key]: 'value' });
		},
	);

	it('masks the token and the signature of our own address, whatever it is called', () => {
		const hook = 'https://n8n.example.com/webhook-waiting/7?signature=abc&upi=n.0&token=typed';
		expect(redactor().deep({ ipn: hook })).toEqual({
			ipn: 'https://n8n.example.com/webhook-waiting/7?signature=***&upi=n.0&token=***',
		});
		expect(redactor().deep({ callback: '?token=x' })).toEqual({ callback: '?token=***' });
		expect(redactor('123456').deep(['123456'])).toEqual(['***']);
		const link = 'https://pay.example.com/?signature=abc';
		expect(redactor().deep({ link })).toEqual({ link });
	});

	it('masks secrets also behind what is too long to be searched for signatures', () => {
		const masked = redactor(CANARY).deep([
			' '.repeat(300_000),
			CANARY,
			{ callback: '/' + 'x'.repeat(20) },
		]);
		expect((masked as unknown[]).slice(1)).toEqual(['***', { callback: '***' }]);
	});

	it('leaves references and links that look like a signature', () => {
		const data = {
			ref: HEX.sha256,
			link: `https://pay.example.com/l/${HEX.sha256}?k=${base64(HEX.sha256)}`,
			list: [HEX.sha384, HEX.sha512, base64(HEX.sha384)],
		};
		expect(redactor().deep(data)).toEqual(data);
	});

	it('masks a signature in a body that is said back', () => {
		const body = `{"signature":"${HEX.sha256}","params":{}}`;
		expect(redactor().deep({ echo: body })).toEqual({ echo: '{"signature":"***","params":{}}' });
	});

	it('leaves out what has more values than any record', () => {
		const values = (count: number) => Array.from({ length: count }, (_, i) => i);
		const most = { first: { ...values(24_000) }, second: values(25_997) };
		expect(redactor().deep(most)).toEqual(most);
		expect(redactor().deep({ ...most, third: values(1) })).toEqual({
			...most,
			third: '[too many values]',
		});
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

it('any token of any address goes where nobody needs to read on', () => {
	expect(withoutTokens('/h?token=a&x=token=b&%74oken=c#token=d')).toBe(
		'/h?token=***&x=token=b&%74oken=***#token=d',
	);
});
