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
});
