/**
 * The files of `test/unit` and `test/integration` that `npm test` leaves out, as patterns of their paths:
 * `npm run test:long` runs them. Each takes seconds of computing to try thousands of cases, or is about
 * what few changes touch.
 */
export const LONG: readonly string[] = [
	// Texts that would make a pattern slow are searched for.
	'unit/structure/regexes',
	// Hundreds of generated cases through the engine, and whole sheets.
	'integration/node/(accounts|advice|endless|expressions|fingerprint|samePayment)',
	'integration/trigger/(attacks|forgeries)',
	// Hundreds of rows with faults and kills, some in processes of their own.
	'integration/bulk/',
	// What the tests themselves use, and commands that build and lint once more.
	'integration/(engine|sandbox)/',
	'integration/trigger/magic',
	'integration/(demo|package|package\\.scan|package\\.twice)',
].map((path) => `/test/${path}${path.endsWith('/') ? '' : '\\.test'}`);
