import { readFile } from 'node:fs/promises';

const CLOCK_TICK_MS = 10;

/** The fields of a process after its name, which is in brackets and may hold anything; only Linux tells. */
async function statOf(pid: number | string | undefined): Promise<string[] | null> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
	return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** CPU time of a process so far, in milliseconds; null where the system cannot tell. */
export async function cpuOf(pid: number | undefined): Promise<number | null> {
	const fields = await statOf(pid);
	return fields === null ? null : (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}
