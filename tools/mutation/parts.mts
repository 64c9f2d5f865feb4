/**
 * The code in parts that are mutated one after another, each with the tests that are about it. A
 * long run can be stopped after any of them, and goes on with the next one.
 */

interface Part {
	mutate: string[];
	tests: string[];
	without: string[];
	/** Leaves out what a module makes while it is loaded. */
	ignoreStatic: boolean;
	/** The score below which the run fails. */
	least: number;
}

const NODES = 'nodes/UnifiedPayments';

/** Long, and about many cases at once: every mutant must fall to an example that can be read. */
const WITHOUT = [
	'test/unit/**/{properties,vectors,presentation,attribution}.test.mts',
	'test/integration/node/{fingerprint,samePayment,endless}.test.mts',
];

/** What decides about money: nothing may survive. */
const protocol: Part = {
	mutate: [`${NODES}/protocol/**/*.ts`, `${NODES}/transport/{verdict,outcome}.ts`],
	tests: [
		'test/unit/protocol/*.test.mts',
		'test/unit/transport/verdict.test.mts',
		'test/unit/transport/outcome.test.mts',
	],
	without: WITHOUT,
	ignoreStatic: false,
	least: 100,
};

/**
 * Elsewhere, what a module makes while it is loaded stays as it is: descriptions and tables, which
 * tests compare with the contract, and for which each mutant would load n8n's engine anew.
 */
const part = (files: string, tests: string[]): Part => ({
	mutate: [files, '!**/{protocol,countries/data}/**', '!**/{verdict,outcome}.ts'],
	tests: tests.map((name) => `test/${name}.test.mts`),
	without: WITHOUT,
	ignoreStatic: true,
	least: 85,
});

const OF_NODE = ['integration/node/*', 'integration/bulk/{matrix,stops,cancel}'];

export const PARTS: Readonly<Record<string, Part>> = {
	protocol,
	fields: part(`${NODES}/{fields,countries}/**/*.ts`, [
		'unit/{fields,countries}/*',
		'integration/node/{columns,rows,operations}',
	]),
	output: part(`${NODES}/output/**/*.ts`, [
		'unit/output/*',
		'integration/node/{operations,orderOfTransaction}',
		'integration/trigger/*',
	]),
	transport: part(`${NODES}/transport/**/*.ts`, ['unit/transport/*', ...OF_NODE]),
	reading: part(`${NODES}/rows/{[a-q]*,read*}.ts`, ['unit/rows/*', ...OF_NODE]),
	running: part(`${NODES}/rows/{result,row*,run*,[s-z]*}.ts`, ['unit/rows/*', ...OF_NODE]),
	actions: part(`{${NODES}/actions/**/*.ts,${NODES}/*.ts,credentials/*.ts}`, [
		'unit/{actions,credentials}/*',
		...OF_NODE,
		'integration/trigger/*',
	]),
	trigger: part(`${NODES}/trigger/**/*.ts`, ['unit/trigger/*', 'integration/trigger/*']),
	waiting: part(`${NODES}/waiting/**/*.ts`, [
		'unit/waiting/*',
		'integration/node/{createAndWait,waitUntilPaid,waitUntilFinal}',
	]),
};
