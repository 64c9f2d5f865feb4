import { existingN8nInstructions } from '../../../host/demo/instructions.mts';
import { pinnedRelease } from '../../../host/n8n/release.mts';
import { allowedBy, startSandbox } from '../../../sandbox/index.mts';
import { helpText } from '../../../sandbox/help.mts';
import { resolveOptions } from '../../../sandbox/options.mts';

describe('a release that npm does not have', () => {
	it('is said to be for Docker, with what to do', () => {
		expect(() => pinnedRelease('3.0.0')).toThrow(
			/^n8n 3\.0\.0 cannot be installed from npm[^]*npm start -- --n8n-url http/,
		);
		expect(() => pinnedRelease('2.99.0')).toThrow('this release of n8n is not pinned');
	});
});

describe('an n8n that blocks private addresses', () => {
	it.each([
		['http://127.0.0.1:5680', 'N8N_SSRF_ALLOWED_IP_RANGES=127.0.0.1/32'],
		['http://[::1]:5680', 'N8N_SSRF_ALLOWED_IP_RANGES=::1/128'],
		['https://sandbox.internal', 'N8N_SSRF_ALLOWED_HOSTNAMES=sandbox.internal'],
	])('reaches %s with %s', (url, setting) => {
		expect(allowedBy(url)).toBe(setting);
		const settings = resolveOptions();
		expect(helpText(url, settings, settings.switches)).toContain(setting);
	});
});

test('whoever brings an n8n of their own reads how to run it in Docker', async () => {
	const sandbox = await startSandbox();
	const text = existingN8nInstructions('http://localhost:5678', {
		sandbox,
		tarball: '/x/pack.tgz',
	});
	await sandbox.close();

	expect(text).toMatch(/docker run .*--network host .*docker\.n8n\.io\/n8nio\/n8n:\d/);
	expect(text).toMatch(
		/docker cp \/x\/pack\.tgz n8n:\/tmp\/[^]*npm install --omit=peer \/tmp\/pack\.tgz/,
	);
	expect(text).toContain('n8n 3 loads the package only with N8N_UNVERIFIED_PACKAGES_ENABLED=true');
	expect(text).toContain(allowedBy(sandbox.url));
});
