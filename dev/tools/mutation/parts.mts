/**
 * The code in parts, each with the tests that are about it, and the parts in slices of some files
 * each. A long run can be stopped at any time, and goes on with the slice that it was at.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Part {
	/** Which files are in it, unless they are in an earlier part. */
	files: RegExp;
	tests: string[];
	/** Leaves out what a module makes while it is loaded. */
	ignoreStatic: boolean;
	/** The score below which the run fails. */
	least: number;
	/** How many mutants are tried at the same time: more where the tests wait most of their time. */
	atOnce: number;
}

/** Mocha takes the comma in braces for the end of a pattern. */
const expand = (pattern: string): string[] => {
	const [all, names] = /\{([^}]*)\}/.exec(pattern) ?? [];
	if (all === undefined) return [pattern];
	return names!.split(',').flatMap((name) => expand(pattern.replace(all, name)));
};

/** What decides about money: nothing may survive. */
const protocol: Part = {
	files: /\/protocol\/|\/transport\/verdict\.ts$/,
	tests: [
		'test/unit/protocol/*.test.mts',
		...expand('test/unit/transport/{verdict,outcome,retry}.test.mts'),
	],
	ignoreStatic: false,
	least: 100,
	atOnce: 2,
};

/**
 * Elsewhere, what a module makes while it is loaded stays as it is: descriptions and tables, which
 * tests compare with the contract, and for which each mutant would load n8n's engine anew.
 */
const part = (files: RegExp, tests: string[], atOnce = 4): Part => ({
	files,
	tests: tests.flatMap((name) => expand(`test/${name}.test.mts`)),
	ignoreStatic: true,
	least: 85,
	atOnce,
});

export const PARTS: Readonly<Record<string, Part>> = {
	protocol,
	fields: part(/\/(fields|countries)\//, [
		'unit/{fields,countries}/*',
		'unit/payment/{compare,echo,key}',
		'unit/structure/parameters',
		'integration/node/{advice,approval,columns,editor,newcomerSheet,operations,rows}',
	]),
	payment: part(/\/payment\//, [
		'unit/payment/*',
		'unit/{waiting/resume,waiting/status,waiting/awaitedLinks,trigger/confirm,output/shapes}',
		'integration/node/{claims,lookUp}',
		'integration/trigger/order',
	]),
	transport: part(/\/transport\//, [
		'unit/transport/*',
		'integration/node/{accounts,credential,errors,failures,faults,findSignature,operations,redirects}',
		'integration/node/{editor,locators}',
		'integration/bulk/{cancel,matrix}',
	]),
	/** How a run is put together, which the tests of all operations are about. */
	runs: part(
		/\/rows\/run\w+\.ts$/,
		[
			'unit/rows/{runPolls,runWait}',
			'integration/node/{approval,callbackHints,check,claims,operations,waitUntilFinal}',
			'integration/node/{createAndWait,waitUntilPaid}',
			'integration/node/{errors,faults,includeInputFields}',
		],
		8,
	),
	claims: part(/\/rows\/claims\//, ['unit/rows/claims/*', 'unit/rows/settling']),
	create: part(
		/\/rows\/create\//,
		[
			'unit/rows/create/*',
			'integration/node/{approval,lookUp,claims,check,advice,whose,rows}',
			'integration/node/{firstAlone,faults,newcomerSheet,callbackHints}',
			'integration/node/{createAndWait,dryRun}',
		],
		12,
	),
	rows: part(
		/\/rows\//,
		[
			'unit/rows/{read,report}/*',
			'unit/rows/{attribution,files,lanes,progress,row}',
			'integration/node/{approval,check,columns,errors,faults,includeInputFields,rows}',
			'integration/node/{advice,callbackHints,newcomerSheet,templates}',
			'integration/bulk/{cancel,stops}',
		],
		12,
	),
	trigger: part(/\/trigger\//, ['unit/trigger/*', 'integration/trigger/*'], 8),
	waiting: part(/\/waiting\//, [
		'unit/waiting/*',
		'integration/node/{createAndWait,waitForSeveral,waitUntilPaid}',
	]),
	actions: part(/./, [
		'unit/{actions,credentials}/*',
		'unit/structure/parameters',
		'integration/node/{advice,callbackHints,check,columns,credential,editor,errors,hints,locators}',
		'integration/node/{claims,operations,orderOfTransaction,rows,templates}',
		'integration/node/{diagnose,waitUntilFinal}',
		'integration/trigger/{credential,tokenState}',
	]),
};

/** Long, and about many cases at once: every mutant must fall to an example that can be read. */
export const WITHOUT = [
	'test/unit/**/{properties,vectors,presentation}.test.mts',
	'test/integration/node/{fingerprint,samePayment,endless,expressions}.test.mts',
	'test/integration/trigger/forgeries.test.mts',
].flatMap(expand);

/** The data of the countries is compared with the specification's tables; there is nothing to change. */
const isMutated = (file: string) => file.endsWith('.ts') && !file.endsWith('countries/data.ts');

const FILES = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((name) => join(folder, name).replaceAll('\\', '/'))
		.filter(isMutated)
		.sort(),
);

const partOf = (file: string): string =>
	Object.keys(PARTS).find((name) => PARTS[name]!.files.test(file))!;

/** Those of the given files that are mutated, by part. */
export function byPart(files: string[]): Map<string, string[]> {
	const parts = new Map<string, string[]>();
	for (const file of FILES.filter((each) => files.includes(each)))
		parts.set(partOf(file), [...(parts.get(partOf(file)) ?? []), file]);
	return parts;
}

/** The most bytes of code in a slice, about 1,300 mutants: all tests of the part run first, which takes a minute. */
const SLICE = 72_000;

/** The files of a part, some at a time. */
export function slicesOf(name: string): string[][] {
	const slices: string[][] = [[]];
	let bytes = 0;
	for (const file of FILES.filter((each) => partOf(each) === name)) {
		const { size } = statSync(file);
		if (bytes > 0 && bytes + size > SLICE) {
			slices.push([]);
			bytes = 0;
		}
		slices.at(-1)!.push(file);
		bytes += size;
	}
	return slices;
}
