import {
	isAllowed,
	readAllowList,
} from '../../../nodes/UnifiedPayments/trigger/endpoint/allowList.ts';

/** Whether a text is understood as an entry of the list. */
const isEntry = (text: string) => readAllowList(text).ranges.length === 1;

const allows = (list: string, from: string) => isAllowed(readAllowList(list), from);

describe('the IP allow-list', () => {
	it.each([
		['', '198.51.100.1'],
		['203.0.113.7', '::ffff:203.0.113.7'],
		['10.1.2.3/8', '10.9.9.9'],
		['192.168.1.128/25', '192.168.1.255'],
		['::ffff:10.0.0.0/104', '10.20.30.40'],
		['::ffff:10.0.0.0/96', '203.0.113.7'],
		['::ffff:203.0.113.7/128', '203.0.113.7'],
		['2001:db8::/32', '2001:db8:ffff::1'],
		['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
		['fe80::1', 'fe80::1%eth0'],
		['1.1.1.1, 2.2.2.2\n3.3.3.3;4.4.4.4  5.5.5.5', '4.4.4.4'],
	])('"%s" lets %s in', (list, from) => {
		expect(allows(list, from)).toBe(true);
	});

	it.each([
		['203.0.113.7', '203.0.113.8'],
		['203.0.113.7', ''],
		['203.0.113.7', '203.0.113.07'],
		['203.0.113.7', '203.0.113.7.evil.example'],
		['203.0.113.7', ' 203.0.113.7, 10.0.0.1'],
		['10.0.0.0/8', '11.0.0.0'],
		['10.0.0.0/8', '2001:db8::a00:1'],
		['::/0', '10.0.0.1'],
		['::ffff:10.0.0.0/97', '138.0.0.0'],
		['::ffff:10.0.0.0/95', '10.0.0.0'],
		// One entry that cannot be read makes the list something else than was meant.
		['203.0.113.7, 10.0.0.', '203.0.113.7'],
		['203.0.113.7/33', '203.0.113.7'],
		['example.com', '203.0.113.7'],
	])('"%s" keeps %s out', (list, from) => {
		expect(allows(list, from)).toBe(false);
	});

	const v4 = (bytes: readonly number[]) => bytes.join('.');
	const v6 = (bytes: readonly number[]) =>
		Array.from({ length: 8 }, (_, group) =>
			(bytes[2 * group]! * 256 + bytes[2 * group + 1]!).toString(16),
		).join(':');
	it.each([
		['IPv4', v4, [203, 0, 113, 7]],
		['IPv6', v6, [32, 1, 13, 184, 255, 0, 170, 85, 1, 2, 3, 4, 128, 127, 254, 1]],
	])('of %s, just as many bits count as are written', (_, written, base) => {
		const withOther = (bit: number) =>
			written(base.map((byte, index) => byte ^ (index === bit >> 3 ? 128 >> (bit & 7) : 0)));
		for (let bits = 0; bits <= base.length * 8; bits++) {
			const network = `${written(base)}/${bits}`;
			if (bits > 0)
				expect([network, allows(network, withOther(bits - 1))]).toEqual([network, false]);
			if (bits < base.length * 8)
				expect([network, allows(network, withOther(bits))]).toEqual([network, true]);
		}
	});

	it('names the entries it cannot read', () => {
		expect(readAllowList('1.1.1.1, nonsense, 2001:db8::/200').invalid).toEqual([
			'nonsense',
			'2001:db8::/200',
		]);
	});

	it.each([
		...['1.2.3.256', '1.2.3.4/', '1.2.3.4/8/8'],
		...['1.2.3.4/0008', '::1::', '1:2:3:4:5:6:7'],
		...['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::8', '1.2.3.4::'],
	])('%s is no address', (text) => expect(isEntry(text)).toBe(false));
});
