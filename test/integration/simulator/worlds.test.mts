import { simulate } from './simulate.mts';

it('no world breaks in a short run', async () => {
	const { code, told } = await simulate('--seeds', '60');
	expect({ code, told }).toEqual({ code: 0, told: expect.stringMatching(/^\d+ seeds, 0 broken/) });
}, 180_000);

it('the same seed tells the same story', async () => {
	const { code, told } = await simulate('--seed', '14', '--seeds', '5', '--twice');
	expect({ code, told }).toEqual({ code: 0, told: expect.stringMatching(/^5 seeds, 0 broken/) });
}, 180_000);
