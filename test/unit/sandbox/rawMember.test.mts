import fc from 'fast-check';
import { rawMember } from '../../../sandbox/protocol/rawMember.mts';

describe('rawMember', () => {
	it.each([
		['{"params":{"a":1}}', '{"a":1}'],
		[' { "x" : 1 , "params" : { "a" : [ 1 , 2 ] } } ', '{ "a" : [ 1 , 2 ] }'],
		['{"x":"\\"params\\":{}","params":2e3}', '2e3'],
		['{"params":-1.50 ,"x":1}', '-1.50'],
		['{"params":null}', 'null'],
		['{"params":"a\\\\"}', '"a\\\\"'],
		['{"params":"}\\"]"}', '"}\\"]"'],
		['{"x":{"params":1},"y":[{"params":2}]}', undefined],
		['{"par\\u0061ms":1}', '1'],
		['{"params":1,"params":2}', '2'],
		['{"params":2,"PARAMS":1}', '2'],
		['{}', undefined],
		['[{"params":1}]', undefined],
		['"params"', undefined],
		['', undefined],
	])('%s', (json, expected) => {
		expect(rawMember(json, 'params')).toBe(expected);
	});

	it('does not recurse', () => {
		const deep = '['.repeat(200_000) + ']'.repeat(200_000);
		expect(rawMember(`{"params":${deep}}`, 'params')).toBe(deep);
	});

	/** Any way to write a value: spacing and escapes drawn at random. */
	const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/);
	const text = fc
		.array(fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ',', ':', 'é', '\u2028', '/', '\n'))
		.map((chars) =>
			chars.map((char, index) =>
				index % 3 === 0
					? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
					: JSON.stringify(char).slice(1, -1),
			),
		)
		.map((chars) => `"${chars.join('')}"`);
	const { value } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
		value: fc.oneof(
			{ maxDepth: 3 },
			fc.constantFrom('1', '-0', '1.50E+2', 'true', 'null', '""'),
			text,
			tie('object'),
			tie('list'),
		),
		object: fc
			.array(fc.tuple(space, text, space, tie('value'), space), { maxLength: 3 })
			.map((members) => `{${members.map(([a, k, b, v, c]) => a + k + b + ':' + v + c).join(',')}}`),
		list: fc
			.array(fc.tuple(space, tie('value'), space), { maxLength: 3 })
			.map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
	}));

	it('finds exactly the text that was written, whatever is around it', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(text, value), { maxLength: 3 }),
				value,
				fc.array(fc.tuple(text, value), { maxLength: 3 }),
				space,
				(before, params, after, gap) => {
					const member = ([key, one]: [string, string]) => `${gap}${key}${gap}:${gap}${one}${gap}`;
					const json = `{${[...before, ['"params"', params] as [string, string], ...after].map(member).join(',')}}`;
					expect(() => JSON.parse(json) as unknown).not.toThrow();
					expect(rawMember(json, 'params')).toBe(params);
				},
			),
			{ numRuns: 5000 },
		);
	});
});
