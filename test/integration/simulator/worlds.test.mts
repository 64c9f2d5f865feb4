import { simulate } from './simulate.mts';

const ALL_HOLD = (worlds: string) => ({
	code: 0,
	told: expect.stringMatching(new RegExp(`^[^\\n]*: ${worlds} worlds, 0 broken`)),
});

it('no world breaks in a short run', async () => {
	expect(await simulate('--seeds', '60', '--brief')).toEqual(ALL_HOLD('60'));
}, 240_000);

it('what broke once does not break again', async () => {
	expect(await simulate('--plans', '--brief')).toEqual(ALL_HOLD('\\d+'));
}, 180_000);

it('the same seed tells the same story', async () => {
	expect(await simulate('--seed', '14', '--seeds', '5', '--twice')).toEqual(ALL_HOLD('5'));
}, 180_000);
