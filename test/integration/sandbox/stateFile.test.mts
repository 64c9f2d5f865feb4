import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../../../dev/host/shared/http.mts';
import type { Sandbox, SandboxOptions } from '../../../dev/sandbox/index.mts';
import { admin, COLLECTION, LINK, PATHS, send, signed, start, token, until } from './client.mts';

let folder: string;
let stateFile: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'unified-payments-sandbox-'));
	// In a folder that is not there yet.
	stateFile = join(folder, 'kept', 'state.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const begin = (options: SandboxOptions = {}) => start({ stateFile, ...options });

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');

const pay = (sandbox: Sandbox, reference = sandbox.state.links[0]?.reference) =>
	admin(sandbox, 'POST', `/links/${reference}/pay`, { outcome: 'success' });

/** Everything but the requests, which are not kept, and the addresses of links, which follow the port. */
const known = ({ state }: Sandbox) => ({
	links: state.links.map(({ link: _, ...others }) => others),
	transactions: state.transactions,
	wallets: state.wallets,
	callbacks: state.callbacks,
	ledger: state.ledger.entries,
});

it('what a client was told is there after the next start, even if nothing was closed', async () => {
	const before = await begin();
	await signed(before, PATHS.link, LINK);
	await signed(before, PATHS.link, { ...LINK, logo: PNG, callback_url: 'http://127.0.0.1:9/' });
	await pay(before);
	await signed(before, PATHS.collection, { ...COLLECTION, amount: 990401 });
	await until(() => before.state.callbacks[0]?.status === 'failed');
	await until(() => before.state.transactions.every(({ state }) => state !== 'pending'));
	const bearer = await token(before);
	const seen = structuredClone(known(before));

	// The first one is as after `kill -9`: it has written what it answered, and writes no more.
	const after = await begin();
	expect(known(after)).toEqual(seen);
	// At the address that it has now.
	const { link: address } = after.state.links[0]!;
	expect(address.startsWith(after.url)).toBe(true);
	expect((await call(address)).status).toBe(200);
	expect(seen.links.map(({ state }) => state)).toEqual(['paid', 'open']);
	const list = await send(after, PATHS.list, null, { authorization: `Bearer ${bearer}` });
	expect(list.json.data).toHaveLength(2);
	const link = (await admin(after, 'GET', `/links/${seen.links[0]?.reference}`)).json;
	expect(link.logo).toBe(`data:image/png;base64,${PNG}`);

	// It goes on where it was: the open link is paid, and no reference is given twice.
	expect((await pay(after, seen.links[1]?.reference)).status).toBe(200);
	expect((await pay(after)).status).toBe(409);
	await signed(after, PATHS.link, LINK);
	expect(new Set(after.state.links.map(({ reference }) => reference)).size).toBe(3);
	expect(after.state.ledger.accepted).toBe(4);
});

it('a file of somebody else is left alone', async () => {
	stateFile = join(folder, 'notes.txt');
	writeFileSync(stateFile, 'my notes\n');
	await expect(begin()).rejects.toThrow(`${stateFile} is not a file of this sandbox.`);
	expect(readFileSync(stateFile, 'utf8')).toBe('my notes\n');
});
