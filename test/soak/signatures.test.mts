import { prng } from '../../sandbox/faults/prng.mts';
import { drawn, findable, KEYS, nameOf, played, searchIn } from '../helpers/signatures.mts';

it('200 services with recipes of the list: each is found', async () => {
	const random = prng(36);
	const requests: number[] = [];
	for (let nth = 0; nth < 200; nth++) {
		const secretKey = KEYS[nth % KEYS.length]!;
		const all = findable(secretKey);
		const recipe = all[Math.floor(random() * all.length)]!;
		const search = await searchIn(played(recipe), secretKey);
		expect(search).toMatchObject({ kind: 'found', recipe });
		requests.push(search.requests + 1);
	}
	requests.sort((a, b) => a - b);
	console.log(
		`found: 200 of 200; requests with the one for the token: median ${requests[100]}, most ${requests.at(-1)}`,
	);
	expect(requests.at(-1)).toBeLessThanOrEqual(60);
}, 600_000);

it('50 services with recipes that are not on it: each is told as that', async () => {
	const requests: number[] = [];
	for (let seed = 1; requests.length < 50; seed++) {
		const secretKey = KEYS[seed % KEYS.length]!;
		const recipe = drawn(seed, secretKey);
		const known = findable(secretKey).map((each) => nameOf(played(each)));
		if (known.includes(nameOf(recipe))) continue;
		const search = await searchIn(recipe, secretKey);
		expect(search.kind).toBe('notFound');
		requests.push(search.requests + 1);
	}
	console.log(`not on the list: 50; most requests ${Math.max(...requests)}`);
	expect(Math.max(...requests)).toBeLessThanOrEqual(60);
}, 600_000);
