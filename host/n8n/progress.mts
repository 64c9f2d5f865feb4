import { access } from 'node:fs/promises';
import { join } from 'node:path';

export type Report = (line: string) => void;

const EVERY_MS = 10_000;

/** Does the work, and says now and then how far it is. */
export async function withProgress<T>(
	work: Promise<T>,
	far: () => Promise<string>,
	report: Report,
	everyMs = EVERY_MS,
): Promise<T> {
	let looking = false;
	const timer = setInterval(() => {
		if (looking) return;
		looking = true;
		void far()
			.then(report)
			.finally(() => (looking = false));
	}, everyMs);
	try {
		return await work;
	} finally {
		clearInterval(timer);
	}
}

/** "812 of 1630 packages, about 3 min left", told from what is in a folder. */
export function packagesIn(folder: string, packages: readonly string[], now = Date.now) {
	const began = now();
	return async (): Promise<string> => {
		const there = await Promise.all(
			packages.map((path) =>
				access(join(folder, path, 'package.json')).then(
					() => true,
					() => false,
				),
			),
		);
		const done = there.filter(Boolean).length;
		if (done === 0) return `  looking up ${packages.length} packages`;
		const left = estimate(done, packages.length, now() - began);
		return `  ${done} of ${packages.length} packages${left && `, ${left}`}`;
	};
}

/** Shares of n8n's packages, and of the time it took until they were there: the largest come last. */
const COURSE: ReadonlyArray<[packages: number, time: number]> = [
	[0.3, 0.24],
	[0.75, 0.34],
	[0.9, 0.45],
	[0.95, 0.57],
	[0.98, 0.72],
	[0.995, 0.82],
	[1, 1],
];

/** Says nothing before there is something to go by. */
export function estimate(done: number, all: number, spentMs: number): string {
	if (done < all / 20 || done === all) return '';
	const share = timeShare(done / all);
	const minutes = Math.ceil((spentMs * (1 - share)) / share / 60_000);
	return `about ${minutes} min left`;
}

function timeShare(packages: number): number {
	let [from, spent] = [0, 0];
	for (const [to, until] of COURSE) {
		if (packages < to) return spent + ((packages - from) / (to - from)) * (until - spent);
		[from, spent] = [to, until];
	}
	return 1;
}
