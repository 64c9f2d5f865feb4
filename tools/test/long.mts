/**
 * The files of `test/unit` and `test/integration` that `npm test` leaves out, as patterns of their paths:
 * `npm run test:long` runs them. Each takes seconds of computing to try thousands of cases, or is about
 * what few changes touch.
 */
export const LONG: readonly string[] = [
	// Thousands of generated cases of one function.
	'unit/structure/regexes',
	'unit/transport/(largeReply|redactChosen)',
	// Thousands of generated cases through the engine, and whole sheets.
	'integration/node/(accounts|advice|endless|expressions|fingerprint|samePayment)',
	'integration/trigger/(attacks|forgeries)',
	// Hundreds of rows with faults and kills, some in processes of their own.
	'integration/bulk/',
	// What the tests themselves use, and commands that build and lint once more.
	'integration/(engine|sandbox)/',
	'integration/trigger/magic',
	'integration/(demo|package|package\\.scan|package\\.twice)',
].map((path) => `/test/${path}${path.endsWith('/') ? '' : '\\.test'}`);
