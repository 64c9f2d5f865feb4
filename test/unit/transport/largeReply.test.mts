import fc from 'fast-check';

import { parseLarge } from '../../../nodes/UnifiedPayments/transport/largeReply.ts';
import { runs } from '../../helpers/runs.mts';

const now = async () => undefined;
const parse = async (text: string) => await parseLarge(text, now);
const oracle = (text: string): unknown => {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return null;
	}
};

describe('a large reply', () => {
	it('is read as JSON reads it, whatever its list holds', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.jsonValue({ noUnicodeString: false })),
				fc.dictionary(fc.string(), fc.jsonValue()),
				fc.dictionary(fc.string(), fc.jsonValue()),
				fc.constantFrom(undefined, 1, '\t'),
				async (data, before, after, space) => {
					const text = JSON.stringify({ ...before, data, ...after }, null, space);
					expect(await parse(text)).toEqual(oracle(text));
				},
			),
			{ numRuns: runs(5000) },
		);
	}, 60_000);

	it('is read as JSON reads it, also when it is broken', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.jsonValue()),
				fc.nat(),
				fc.constantFrom('', '"', '[', ']', '{', '}', ',', '\\', 'x', '"data":[1],'),
				async (data, place, piece) => {
					const whole = JSON.stringify({ success: true, data, message: 'a "b" \\' });
					const at = place % (whole.length + 1);
					const text = whole.slice(0, at) + piece + whole.slice(at + (piece === '' ? 1 : 0));
					expect(await parse(text)).toEqual(oracle(text));
				},
			),
			{ numRuns: runs(10_000) },
		);
	}, 60_000);

	it.each([
		'{"data":[]}',
		'{"data":[ ]}',
		'{"data":[1,]}',
		'{"data":[,1]}',
		'{"data":[1,2],"data":[3]}',
		'{"data":[1],"data":{}}',
		'{"data":{"data":[1]}}',
		'{"x":{"data":[1]},"data":[2]}',
		'{"data":[1]} x',
		'{"data":[1]',
		'{"data":["\\\\","\\"",",]"]}',
		'{"d\\u0061ta":[1]}',
		'{"__proto__":{"a":1},"data":[1]}',
		'{"success":true}',
		'[]',
		'"data"',
		'',
		' { "success" : true , "data" : [ { "a" : [ 1 , 2 ] } , "x" ] } ',
	])('as JSON: %s', async (text) => {
		expect(await parse(text)).toEqual(oracle(text));
	});

	it.each([
		['{"data":[1,2,3]}', 2],
		['{"data":[1]}', 0],
		['{"data":[{"a":[1,2]},"x,]",[3,4]]}', 2],
		[' { "success" : true , "data" : [ 1 , 2 ] } ', 1],
		['{"note":"a,b]}","data":[1,2,3]}', 2],
		['{"note":"\\\\","data":[1,2,3]}', 2],
		['{"note":"a\\"b","data":[1,2,3]}', 2],
		['{"page":{"data":[1,2],"of":[3,4]},"count":2,"data":[5,6,7,8],"more":[9,10]}', 3],
		['{"data":[1,2,3],"data":[4,5]}', 2],
		['{"rows":[1,2,3]}', 0],
		['{"data":{"rows":[1,2]},"rows":[3,4]}', 0],
		['[{"data":[1,2]},3]', 0],
	])('gives the host a turn between the entries of its list: %s', async (text, expected) => {
		let turns = 0;
		expect(await parseLarge(text, async () => void turns++)).toEqual(JSON.parse(text));
		expect(turns).toBe(expected);
	});

	it.each([
		'{"note":"never ends',
		'{"note":[1,2',
		'{"data":["never ends',
		'{"data":[1',
		'{data:[1,2]}',
	])('that breaks off is nothing: %s', async (text) => {
		expect(await parse(text)).toBeNull();
	});
});
