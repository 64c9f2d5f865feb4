import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../../sandbox/index.mts';
import { send, start } from './client.mts';

let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const webRoot = join(folder, 'web');
	mkdirSync(webRoot);
	mkdirSync(join(folder, 'web-not'));
	writeFileSync(join(folder, 'secret.json'), '{}');
	writeFileSync(join(folder, 'web-not', 'secret.json'), '{}');
	writeFileSync(join(webRoot, 'index.html'), '<title>Dashboard</title>');
	writeFileSync(join(webRoot, 'pay.html'), '<title>Pay</title>');
	writeFileSync(join(webRoot, 'app.js'), 'export {};');
	writeFileSync(join(webRoot, 'app.css'), 'a{}');
	writeFileSync(join(webRoot, 'icon.svg'), '<svg/>');
	sandbox = await start({ mode: 'rich', webRoot });
});
afterAll(async () => {
	await sandbox.close();
	rmSync(folder, { recursive: true });
});

describe('pages', () => {
	it.each([
		['/', 'text/html; charset=utf-8', 'Dashboard'],
		['/pay/PL-1', 'text/html; charset=utf-8', 'Pay'],
		['/sandbox/web/app.js', 'application/javascript; charset=utf-8', 'export'],
		['/sandbox/web/app.css', 'text/css; charset=utf-8', 'a{}'],
		['/sandbox/web/icon.svg', 'image/svg+xml', '<svg/>'],
	])('%s', async (path, type, content) => {
		const reply = await send(sandbox, path, null);
		expect(reply.status).toBe(200);
		expect(reply.headers.get('content-type')).toBe(type);
		expect(reply.headers.get('content-security-policy')).toContain("default-src 'self'");
		expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
		expect(reply.headers.get('cache-control')).toBe('no-cache');
		expect(reply.text).toContain(content);
	});

	it.each([
		'/sandbox/web/none.js',
		'/sandbox/web/..%2fsecret.json',
		'/sandbox/web/..%2fweb-not%2fsecret.json',
		'/sandbox/web/%2e%2e%2fsecret.json',
		'/sandbox/web/%2fetc%2fpasswd',
		'/sandbox/web/app.js%00.html',
		'/sandbox/web/',
		'/sandbox/web/%',
	])('serves nothing else: %s', async (path) => {
		const reply = await send(sandbox, path, null);
		expect([400, 403, 404]).toContain(reply.status);
		expect(reply.json).toMatchObject({ success: false });
	});
});
