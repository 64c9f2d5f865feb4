import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

it('the demo turns its sheet into links, and says what to correct', async () => {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--import', 'tsx', 'dev/tools/demo.mts', '--once'],
		{ timeout: 90_000 },
	);
	expect(stdout.match(/✓ Order A-\d .* http:\/\/127\.0\.0\.1:\d+\/pay\//g)).toHaveLength(6);
	expect(stdout.match(/✗ Order A-\d .*\[Item \d\]/g)).toHaveLength(2);
	expect(stdout).toContain('each was found in the list of links');
	expect(stdout).toContain('8 rows for the payment link: 6 accepted, 2 not sent.');
}, 120_000);
