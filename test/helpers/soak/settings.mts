/** A number of the long runs that the environment may change, e.g. SOAK_ROWS=1000. */
export function setting(name: string, fallback: number): number {
	const given = process.env[`SOAK_${name}`];
	if (given === undefined || given === '') return fallback;
	const value = Number(given);
	if (!Number.isInteger(value) || value < 1) throw new Error(`SOAK_${name} is no number: ${given}`);
	return value;
}

/** Past Jest, which would add where each line came from. */
export const tell = (line: string): void => void process.stdout.write(`${line}\n`);

export const MINUTE = 60_000;
