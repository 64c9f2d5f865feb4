'use strict';

/*
 * Lets Mocha run the tests that are written for Jest. Mocha keeps everything loaded from one mutant
 * to the next; Jest would load n8n's engine again for each file of tests.
 */
const { basename } = require('node:path');

const { expect } = require('expect');
const { bind } = require('jest-each');
const { ModuleMocker } = require('jest-mock');
const { interfaces, Suite, Test } = require('mocha');

/** Tests may put something else in the place of these. */
const { clearTimeout, setTimeout } = globalThis;

/** As in Jest. Stryker's own limit is for all tests of a mutant together, which takes minutes to reach. */
const LONGEST_MS = 60_000;
/** What has not ended may hold what later tests need, so the next mutant gets a process of its own. */
let isHeld = false;

/** Stryker starts a process that has ended anew, and tries the same mutant in it. */
const alone = (body) =>
	body === undefined ? body : async () => (isHeld ? process.exit(1) : await body());

const limited = (body) =>
	alone(async () => {
		let timer;
		const late = new Promise((_, reject) => {
			timer = setTimeout(() => {
				isHeld = true;
				reject(new Error('The test did not end'));
			}, LONGEST_MS);
		});
		await Promise.race([body(), late]).finally(() => clearTimeout(timer));
	});

const mocker = new ModuleMocker(globalThis);
const jest = {
	fn: mocker.fn.bind(mocker),
	spyOn: mocker.spyOn.bind(mocker),
	restoreAllMocks: () => mocker.restoreAllMocks(),
	// All tests have the same limit here.
	setTimeout: () => {},
};

Object.assign(globalThis, { expect, jest });

/** Long, and about many cases at once: every mutant must fall to an example that can be read. */
const isProperty = (body) => /\.assert\(/.test(String(body));

// In the place of Mocha's own, because Stryker knows no others by name.
interfaces.bdd = (root) => {
	root.on('pre-require', (context, file) => {
		// A suite for each file, so that its hooks are run with its own tests only.
		const open = [Suite.create(root, basename(file))];
		const current = () => open[0];
		const describe = (title, body) => {
			open.unshift(Suite.create(current(), title));
			body();
			open.shift();
		};
		const it = (title, body) => {
			if (isProperty(body)) return;
			const test = new Test(title, limited(body));
			test.file = file;
			current().addTest(test);
		};
		describe.each = bind(describe, false);
		it.each = bind(it, false);
		Object.assign(context, {
			describe,
			it,
			test: it,
			beforeAll: (hook) => current().beforeAll(alone(hook)),
			afterAll: (hook) => current().afterAll(hook),
			beforeEach: (hook) => current().beforeEach(alone(hook)),
			afterEach: (hook) => current().afterEach(hook),
		});
	});
};
