/** As many tries as a change needs; all of them with `FULL_PROPERTIES=1`. */
export const runs = (full: number, usual = 500): number =>
	process.env.FULL_PROPERTIES === undefined ? usual : full;
