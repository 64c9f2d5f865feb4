const { rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');

const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');

/** Stands for the context that this file runs in, for which node:vm has no object. */
const HERE = vm.createContext();

const { compileFunction } = vm;
vm.compileFunction = (code, params, { parsingContext, ...options } = {}) =>
	compileFunction(code, params, parsingContext === HERE ? options : { ...options, parsingContext });

/** Jest puts its own in its place, for each file. */
const { exit } = process;

/** Made by `dev/host/engine/environment.mts`. The engine keeps to the first that it was told, and makes it again. */
const ENGINE_FOLDER = join(tmpdir(), 'unified-payments-engine-');
let folder;

/** Under these names Jest keeps, in the global object, what belongs to one file. */
const OF_ONE_FILE = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];

/**
 * Jest gives each test file a context of its own, so each would load n8n's engine anew: two seconds of
 * computing. Here the files of one worker share a context, and the packages in it (`shared.cjs`); our own
 * modules are loaded for each file, as usual.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global = globalThis;
		this.global.requireShared = require;
		this.moduleMocker = new ModuleMocker(this.global);
		this.fakeTimersModern = new ModernFakeTimers({
			config: config.projectConfig,
			global: this.global,
		});
	}

	getVmContext() {
		return HERE;
	}

	/** What a file has changed in what all share is undone. */
	async teardown() {
		this.moduleMocker.restoreAllMocks();
		const core = require.cache[require.resolve('n8n-core')];
		if (core) core.exports.DataDeduplicationService.instance = undefined;
		for (const key of Object.getOwnPropertySymbols(globalThis)) {
			if (OF_ONE_FILE.includes(key.description)) delete globalThis[key];
		}
		delete globalThis.__coverage__;
		process.exit = exit;
		folder ??= process.env.N8N_USER_FOLDER;
		if (folder?.startsWith(ENGINE_FOLDER)) rmSync(folder, { recursive: true, force: true });
		await super.teardown();
	}
};
