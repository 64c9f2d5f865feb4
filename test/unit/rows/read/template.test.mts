import { mayChange, parseTemplate } from '../../../../nodes/UnifiedPayments/rows/read/template.ts';

describe('a template is taken apart', () => {
	it('into texts and code, in their order', () => {
		const [no, shop] = [' $json.no ', ' $json.shop '];
		expect(parseTemplate(`=Order {{${no}}} of {{${shop}}}!`)).toEqual({
			pieces: [{ text: 'Order ' }, { code: no }, { text: ' of ' }, { code: shop }, { text: '!' }],
			codes: [no, shop],
			whole: false,
			extended: false,
		});
	});

	it('and one piece of code alone keeps its type', () => {
		expect(parseTemplate('={{ $json.no }}')).toEqual({
			pieces: [{ code: ' $json.no ' }],
			codes: [' $json.no '],
			whole: true,
			extended: false,
		});
	});

	it.each([
		...['={{ $json.name.toTitleCase() }}'],
		...['={{ $json.day.format("dd") }}', '={{ $if($json.a, 1, 2) }}'],
		'={{ $json.a }} {{ $json.name.toTitleCase() }}',
	])('%s calls what the host adds', (saved) => {
		expect(parseTemplate(saved)).toMatchObject({ extended: true });
	});

	it.each([
		...['={{ $json.name.trim() }}', '={{ $json.price * 100 / 3 }}'],
		...["={{ $json.name ?? 'nobody' }}"],
		...['={{ $json.items.map((each) => each.price) }}'],
		...['={{ [1, 2].includes($json.a) ? { a: 1 } : $json?.b }}'],
		...['={{ $json.name.replace(/[/}]+\\/x/gi, "") }}', '={{ a === b && c !== d || !e }}'],
		...['={{ typeof /x/ }}'],
		...['={{ 7 / 2 }}', '={{ /[@]/.test($json.a) }}', '={{ $json.a + /[@]/ }}', '={{ (1) / 2 }}'],
		...['={{ a.typeof / 2 }}', '={{ $json.this }}'],
		...["={{ 'a\\'b' }}", '={{ x.setZone("UTC") }}'],
	])('%s is one expression that changes nothing', (saved) => {
		expect(parseTemplate(saved)).toMatchObject({ codes: [saved.slice(3, -2)], whole: true });
	});
});

describe('a template is left to the host', () => {
	it.each([
		['without code that ends', ['=Order', '=', '={{ }}', '={{ $json.no']],
		['with a backslash beside code', ['=a\\b {{ $json.no }}', '={{ $json.no }}\\']],
		[
			'with a word that the host refuses',
			['={{ $json.constructor }}', '=a. constructor {{ $json.no }}'],
		],
		['with two statements', ['={{ a; b }}', '={{ a }} {{ b; c }}']],
		['with a comment', ['={{ a // b }}', '={{ a /* b */ }}', '={{ /* b */ a }}']],
		['with brackets that do not fit', ['={{ a) + (b }}', '={{ (a] }}', '={{ (a }}']],
		['with a slash after a brace', ['={{ {} / 2 }}']],
		[
			'with an assignment',
			[
				...['={{ a = 1 }}', '={{ a += 1 }}', '={{ a -= 1 }}', '={{ a /= 1 }}', '={{ a *= 2 }}'],
				...['={{ a ??= 2 }}', '={{ a++ }}', '={{ --a }}', '={{ a << 2 }}', '={{ delete a.b }}'],
			],
		],
		[
			'with this, a function or await',
			['={{ this.a }}', '={{ function () { return 1 } }}', '={{ await a }}'],
		],
		[
			'with a call that changes',
			[
				...['={{ $json.items.push(1) }}', '={{ $json.items . sort ?. () }}', '={{ x.setDate(1) }}'],
				...['={{ x.push`1` }}', "={{ x['pu' + 'sh'](1) }}", '={{ x()() }}'],
				"={{ x['push']?.(1) }}",
			],
		],
		['with a brace in a text that is put together', ['={{ `${ {} }` }}']],
		['with a sign that is none, or a text without end', ['={{ a @ b }}', '={{ "a }}']],
		[
			'with a method of the host that it overlooks',
			['={{ a.replace(/"/, b.toTitleCase("c")) }}', '={{ ".toTitleCase()" + a }}'],
		],
	])('%s: %j', (_, all) => {
		for (const saved of all) expect([saved, parseTemplate(saved)]).toEqual([saved, undefined]);
	});
});

describe('what may leave something behind', () => {
	it.each([
		...['={{ $json.a.push(1) }}', '={{ $json.a.sort () }}'],
		...["={{ x['push'](1) }}"],
		...['={{ a++ }}', '={{ a = 1 }}', '={{ a += 1 }}'],
		...['={{ a >>= 1 }}', '={{ delete a.b }}'],
	])('%s', (saved) => expect(mayChange(saved)).toBe(true));

	it.each([
		...['={{ $json.a }}', '={{ a === b }}', '={{ a <= b }}'],
		...['={{ x.setZone("UTC") }}'],
		...['={{ deleted }}'],
	])('not %s', (saved) => expect(mayChange(saved)).toBe(false));
});
