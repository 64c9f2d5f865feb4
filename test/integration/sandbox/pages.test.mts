import { throughout } from '../../helpers/throughout.mts';
import { send, start } from './client.mts';

const sandbox = throughout(async () => await start());

it.each(['/', '/pay/PL-1', '/sandbox/web/dom.js'])(
	'%s runs only scripts of its own',
	async (path) => {
		const { status, headers } = await send(sandbox, path, null);
		expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
		expect(headers.get('content-security-policy')).toContain("default-src 'self'");
	},
);

it.each([
	...['none.js', '..%2fREADME.md', '%2e%2e%2fREADME.md', '..%2f..%2fpackage.json'],
	...['%2fetc%2fpasswd', 'dom.js%00.html', '', '%'],
])('serves nothing else: %s', async (name) => {
	const reply = await send(sandbox, `/sandbox/web/${name}`, null);
	expect([400, 403, 404]).toContain(reply.status);
	expect(reply.json).toMatchObject({ success: false });
});
