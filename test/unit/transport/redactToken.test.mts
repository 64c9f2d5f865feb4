import { Redactor, withoutTokens } from '../../../nodes/UnifiedPayments/transport/redact.ts';

const TOKEN = 'canary/callback token+3';

const redactor = new Redactor();
redactor.add(['the-secret-key', TOKEN, 12345, '']);

describe('the callback token', () => {
	const escaped = encodeURIComponent(TOKEN);

	it.each([
		['as a value', TOKEN],
		['in a sentence', `The token ${TOKEN} is wrong`],
		['in an address', `https://a.example/h?token=${escaped}&x=1`],
		['in lower-case escapes', `token=${escaped.toLowerCase()}`],
		['in a form', `token=${new URLSearchParams({ t: TOKEN }).toString().slice(2)}`],
		['in an address inside another', `/go?to=${encodeURIComponent(`/h?token=${escaped}`)}`],
		['in JSON', JSON.stringify({ token: TOKEN }).replaceAll('/', '\\/')],
		['as a part of a reference', `${TOKEN}-1042`],
	])('is masked %s', (_, text) => {
		const shown = JSON.stringify([redactor.text(text), redactor.deep({ a: [text], [text]: 1 })]);
		expect(shown).toContain('***');
		expect(shown).not.toMatch(/canary/);
	});

	it('leaves everything else as it was', () => {
		const data = { ref: 'canary-1042', status: 'success', link: '/p?token=of-the-link', n: 12345 };
		expect(redactor.deep(data)).toEqual(data);
	});
});

it('any token of any address goes where nobody needs to read on', () => {
	expect(withoutTokens('/h?token=a&x=token=b&%74oken=c#token=d')).toBe(
		'/h?token=***&x=token=b&%74oken=***#token=d',
	);
});
