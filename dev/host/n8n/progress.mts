import { access } from 'node:fs/promises';
import { join } from 'node:path';

export type Report = (line: string) => void;

const EVERY_MS = 10_000;

/** Waits for the work, and reports now and then how far it is. */
export async function withProgress<T>(
	work: Promise<T>,
	progress: () => Promise<string>,
	report: Report,
): Promise<T> {
	const timer = setInterval(() => void progress().then(report), EVERY_MS);
	try {
		return await work;
	} finally {
		clearInterval(timer);
	}
}

/** "435 of 1435 packages, 62 a minute", counted in the folder. */
export function installedPackages(folder: string, packages: readonly string[], now = Date.now) {
	const startedAt = now();
	return async (): Promise<string> => {
		const found = await Promise.allSettled(
			packages.map((path) => access(join(folder, path, 'package.json'))),
		);
		const count = found.filter(({ status }) => status === 'fulfilled').length;
		if (count === 0) return `  looking up ${packages.length} packages`;
		const perMinute = Math.round((count * 60_000) / (now() - startedAt));
		return `  ${count} of ${packages.length} packages, ${perMinute} a minute`;
	};
}
