import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSlack } from '../../dev/host/slack/index.mts';

it('the messages of the stand-in for Slack are there again after a restart', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'slack-kept-'));
	const file = join(folder, 'slack.jsonl');
	const call = {
		method: 'chat.postMessage',
		authorization: 'Bearer xoxb-a',
		body: { channel: '#payments', text: 'Order N-1 was paid' },
		at: new Date(0),
	};
	await writeFile(file, `${JSON.stringify(call)}\n`);
	const slack = await startSlack(0, file);
	expect(slack.posted('#payments')).toEqual(['Order N-1 was paid']);
	await slack.close();
	await rm(folder, { recursive: true });
});
