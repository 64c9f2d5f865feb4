import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, relative, resolve } from 'node:path';
import { compileFunction } from 'node:vm';

import { transformSync } from '@swc/core';
import type { ICredentialType, INodeType } from 'n8n-workflow';

const ROOT = resolve(import.meta.dirname, '../../..');
/** What n8n gives to nodes. */
const requirePackage = createRequire(join(ROOT, 'package.json'));

/** A fault that is put back into the sources. */
export interface Patch {
	/** From the root of the project. */
	file: string;
	find: string;
	replace: string;
}

/** The published code, compiled. Each life of n8n loads it anew, so nothing in memory outlives a kill. */
export interface BuiltNodes {
	load(): { action: INodeType; trigger: INodeType; credential: ICredentialType };
}

type Exports = Record<string, unknown>;
type Body = (
	require: (name: string) => unknown,
	module: { exports: Exports },
	exports: Exports,
) => void;

const NODES = 'nodes/UnifiedPayments';

export function buildNodes(patches: readonly Patch[] = []): BuiltNodes {
	const bodies = compile(patched(readSources(), patches));
	return {
		load() {
			const load = loader(bodies);
			const make = <T,>(file: string, name: string): T => new (load(file)[name] as new () => T)();
			return {
				action: make<INodeType>(`${NODES}/UnifiedPayments.node.ts`, 'UnifiedPayments'),
				trigger: make<INodeType>(
					`${NODES}/UnifiedPaymentsTrigger.node.ts`,
					'UnifiedPaymentsTrigger',
				),
				credential: make<ICredentialType>(
					'credentials/UnifiedPaymentsApi.credentials.ts',
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
	return new Map(files.map((file) => [relative(ROOT, file), readFileSync(file, 'utf8')] as const));
}

/** The sources with the patches that are for them. */
export function patched(
	sources: Map<string, string>,
	patches: readonly Patch[],
): Map<string, string> {
	for (const { file, find, replace } of patches) {
		const text = sources.get(file);
		if (text === undefined) continue;
		if (text.split(find).length !== 2) {
			throw new Error(`The patch of ${file} does not fit any more: ${find}`);
		}
		sources.set(
			file,
			text.replace(find, () => replace),
		);
	}
	return sources;
}

function compile(sources: ReadonlyMap<string, string>): Map<string, Body> {
	return new Map(
		[...sources].map(([file, text]) => {
			const { code } = transformSync(text, {
				filename: file,
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs', importInterop: 'swc' },
			});
			const names = ['require', 'module', 'exports'];
			return [file, compileFunction(code, names, { filename: file }) as Body] as const;
		}),
	);
}

/** Modules of one life: each is run once, when it is first asked for. */
function loader(bodies: ReadonlyMap<string, Body>): (file: string) => Exports {
	const loaded = new Map<string, { exports: Exports }>();
	const load = (file: string): Exports => {
		const known = loaded.get(file);
		if (known !== undefined) return known.exports;
		const body = bodies.get(file);
		if (body === undefined) throw new Error(`There is no ${file}`);
		const module = { exports: {} };
		loaded.set(file, module);
		const from = posix.dirname(file);
		body(
			(name) =>
				name.startsWith('.') ? load(`${posix.join(from, name)}.ts`) : requirePackage(name),
			module,
			module.exports,
		);
		return module.exports;
	};
	return load;
}
