import { mayChange, parseTemplate } from '../../../../nodes/UnifiedPayments/rows/read/template.ts';

describe('a template is taken apart', () => {
	it('into texts and code, in their order', () => {
		expect(parseTemplate('=Order {{ $json.no }} of {{ $json.shop }}!')).toEqual({
			pieces: [
				{ text: 'Order ' },
				{ code: ' $json.no ' },
				{ text: ' of ' },
				{ code: ' $json.shop ' },
				{ text: '!' },
			],
			codes: [' $json.no ', ' $json.shop '],
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
		'={{ $json.name.toTitleCase() }}',
		'={{ $json.name.toTitleCase ?. () }}',
		'={{ $json.day.format("dd") }}',
		'={{ $if($json.a, 1, 2) }}',
		'={{ $json.a }} {{ $json.name.toTitleCase() }}',
	])('%s calls what the host adds', (saved) => {
		expect(parseTemplate(saved)).toMatchObject({ extended: true });
	});

	it.each([
		'={{ $json.name.trim() }}',
		'={{ $json.toTitleCase }}',
		'={{ $json.price * 100 / 3 }}',
		'={{ -$json.a + +$json.b - 1 }}',
		"={{ $json.name ?? 'nobody' }}",
		"={{ $json['first name'] }}",
		'={{ $json.items.map((each) => each.price) }}',
		'={{ [1, 2].includes($json.a) ? { a: 1 } : $json?.b }}',
		'={{ $json.name.replace(/[/}]+\\/x/gi, "") }}',
		'={{ `a${ $json.b }c` }}',
		'={{ `a$b` }}',
		'={{ a === b && c !== d || !e }}',
		'={{ a == b != c }}',
		'={{ a <= b >= c < d > e }}',
		'={{ typeof /x/ }}',
		'={{ 7 / 2 / 1 }}',
		'={{ 7 / 2 }}',
		'={{ /[@]/.test($json.a) }}',
		'={{ $json.a + /[@]/ }}',
		'={{ (1) / 2 }}',
		'={{ a.typeof / 2 }}',
		'={{ $json.this }}',
		'={{ $json.délai }}',
		'={{ 1e3 + .5 }}',
		'={{ "it\'s" }}',
		"={{ 'a\\'b' }}",
		'={{ a % b ^ c | d & ~e }}',
		'={{ x.setZone("UTC") }}',
		'={{ x.setLocale("fr") }}',
		'={{ a\n }}',
	])('%s is one expression that changes nothing', (saved) => {
		expect(parseTemplate(saved)).toMatchObject({ codes: [saved.slice(3, -2)], whole: true });
	});
});

describe('a template is left to the host', () => {
	it.each([
		['no code', '=Order'],
		['nothing', '='],
		['empty code', '={{ }}'],
		['code that does not end', '={{ $json.no'],
		['a backslash outside of code', '=a\\b {{ $json.no }}'],
		['a backslash after the code', '={{ $json.no }}\\'],
		['a word that the host refuses', '={{ $json.constructor }}'],
		['that word in a text', '=a. constructor {{ $json.no }}'],
		['two statements', '={{ a; b }}'],
		['a comment', '={{ a // b }}'],
		['a long comment', '={{ a /* b */ }}'],
		['a comment where a value begins', '={{ /* b */ a }}'],
		['a bracket too many', '={{ a) + (b }}'],
		['another bracket', '={{ (a] }}'],
		['a bracket that is not closed', '={{ (a }}'],
		['a slash after a brace', '={{ {} / 2 }}'],
		['an assignment', '={{ a = 1 }}'],
		['an assignment with a sum', '={{ a += 1 }}'],
		['an assignment with a difference', '={{ a -= 1 }}'],
		['an assignment with a division', '={{ a /= 1 }}'],
		['an assignment with a product', '={{ a *= 2 }}'],
		['an assignment unless it is set', '={{ a ??= 2 }}'],
		['an increment', '={{ a++ }}'],
		['a decrement', '={{ --a }}'],
		['a shift', '={{ a << 2 }}'],
		['a deletion', '={{ delete a.b }}'],
		['this', '={{ this.a }}'],
		['a function', '={{ function () { return 1 } }}'],
		['await', '={{ await a }}'],
		['a call that changes', '={{ $json.items.push(1) }}'],
		['a call that changes, in other writing', '={{ $json.items . sort ?. () }}'],
		['a call of a setter', '={{ x.setDate(1) }}'],
		['a template that is called', '={{ x.push`1` }}'],
		['a call of what is computed', "={{ x['pu' + 'sh'](1) }}"],
		['a call of what a call gave', '={{ x()() }}'],
		['a call of what is computed, if it is there', "={{ x['push']?.(1) }}"],
		['a brace in a text that is put together', '={{ `${ {} }` }}'],
		['a sign that is none', '={{ a @ b }}'],
		['a text that does not end', '={{ "a }}'],
		['one good and one bad piece', '={{ a }} {{ b; c }}'],
		['a method of the host that it overlooks', '={{ a.replace(/"/, b.toTitleCase("c")) }}'],
		['a text like a method of the host', '={{ ".toTitleCase()" + a }}'],
	])('with %s: %s', (_, saved) => {
		expect(parseTemplate(saved)).toBeUndefined();
	});
});

describe('what may leave something behind', () => {
	it.each([
		...['={{ $json.a.push(1) }}', '={{ $json.a.sort () }}', '={{ $json.a.reverse?.() }}'],
		...['={{ $json.a.fill`1` }}', '={{ x.setYear(1) }}', "={{ x['push'](1) }}", '={{ x()() }}'],
		...['={{ a++ }}', '={{ --a }}', '={{ a = 1 }}', '={{ a += 1 }}', '={{ a <<= 1 }}'],
		...['={{ a >>= 1 }}', '={{ delete a.b }}'],
	])('%s', (saved) => expect(mayChange(saved)).toBe(true));

	it.each([
		...['={{ $json.a }}', '={{ a == b }}', '={{ a === b }}', '={{ a != b }}', '={{ a <= b }}'],
		...['={{ a >= b }}', '={{ (a) => a }}', '={{ x.setZone("UTC") }}', '={{ x.setLocale("fr") }}'],
		...['={{ x.trim() }}', '={{ deleted }}'],
	])('not %s', (saved) => expect(mayChange(saved)).toBe(false));
});
