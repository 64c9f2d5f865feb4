import { throughout } from '../../helpers/throughout.mts';
import { send, start } from './client.mts';

const sandbox = throughout(async () => await start());

it.each([
	['/', 'text/html; charset=utf-8'],
	['/pay/PL-1', 'text/html; charset=utf-8'],
	['/sandbox/web/dom.js', 'application/javascript; charset=utf-8'],
	['/sandbox/web/pay.css', 'text/css; charset=utf-8'],
	['/sandbox/web/favicon.svg', 'image/svg+xml'],
])('serves %s', async (path, type) => {
	const { status, headers } = await send(sandbox, path, null);
	expect(status).toBe(200);
	expect(Object.fromEntries(headers)).toMatchObject({
		'content-type': type,
		'content-security-policy': expect.stringContaining("default-src 'self'"),
		'x-content-type-options': 'nosniff',
		'cache-control': 'no-cache',
	});
});

it.each([
	...['none.js', '..%2fREADME.md', '%2e%2e%2fREADME.md', '..%2f..%2fpackage.json'],
	...['%2fetc%2fpasswd', 'dom.js%00.html', '', '%'],
])('serves nothing else: %s', async (name) => {
	const reply = await send(sandbox, `/sandbox/web/${name}`, null);
	expect([400, 403, 404]).toContain(reply.status);
	expect(reply.json).toMatchObject({ success: false });
});
