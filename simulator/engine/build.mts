import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

import { transformSync } from '@swc/core';
import type { ICredentialType, INodeType } from 'n8n-workflow';

const ROOT = resolve(import.meta.dirname, '../..');
/** Below the project, so that the copy finds the packages that n8n gives to nodes. */
const CACHE = join(ROOT, 'node_modules/.cache/simulator');
const require = createRequire(import.meta.url);

/** A fault that is put back into a copy of the sources. */
export interface Patch {
	file: string;
	find: string;
	replace: string;
}

/** The nodes as they are published, once for each life of n8n: nothing in memory outlives a kill. */
export interface BuiltNodes {
	load(): { action: INodeType; trigger: INodeType; credential: ICredentialType };
}

/** Compiles the published code, with patches where a test wants some, into a folder of its own. */
export function buildNodes(patches: readonly Patch[] = []): BuiltNodes {
	const sources = readSources();
	for (const { file, find, replace } of patches) {
		const text = sources.get(file);
		if (text === undefined || text.split(find).length !== 2) {
			throw new Error(`The patch of ${file} does not fit any more: ${find}`);
		}
		sources.set(file, text.replace(find, () => replace));
	}
	const folder = join(CACHE, digestOf(sources));
	if (!existsSync(folder)) compile(sources, folder);
	const entry = (file: string) => require(join(folder, file)) as Record<string, new () => never>;
	return {
		load() {
			for (const path of Object.keys(require.cache)) {
				if (path.startsWith(folder)) delete require.cache[path];
			}
			const make = <T>(file: string, name: string): T => {
				const Type = entry(file)[name];
				if (Type === undefined) throw new Error(`${file} has no ${name}`);
				return new Type() as T;
			};
			return {
				action: make<INodeType>('nodes/UnifiedPayments/UnifiedPayments.node.js', 'UnifiedPayments'),
				trigger: make<INodeType>(
					'nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.js',
					'UnifiedPaymentsTrigger',
				),
				credential: make<ICredentialType>(
					'credentials/UnifiedPaymentsApi.credentials.js',
					'UnifiedPaymentsApi',
				),
			};
		},
	};
}

function readSources(): Map<string, string> {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
			.map((entry) => join(entry.parentPath, entry.name)),
	);
	return new Map(
		files.sort().map((file) => [relative(ROOT, file), readFileSync(file, 'utf8')] as const),
	);
}

function digestOf(sources: ReadonlyMap<string, string>): string {
	const hash = createHash('sha256');
	for (const [file, text] of sources) hash.update(`${file}\0${text}\0`);
	return hash.digest('hex').slice(0, 16);
}

/** Written beside its place and moved there, so that two runs at the same time do not meet half of it. */
function compile(sources: ReadonlyMap<string, string>, folder: string): void {
	const beside = `${folder}.${process.pid}`;
	for (const [file, text] of sources) {
		const { code } = transformSync(text, {
			filename: file,
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs', importInterop: 'swc' },
		});
		const target = join(beside, file.replace(/\.ts$/, '.js'));
		mkdirSync(dirname(target), { recursive: true });
		writeFileSync(target, code);
	}
	try {
		renameSync(beside, folder);
	} catch {
		rmSync(beside, { recursive: true, force: true });
	}
}
