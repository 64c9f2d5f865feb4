'use strict';

const { describe } = require('../lib/describe.js');
const { end } = require('../lib/meter.js');

/** Stops the meter and answers with its readings, and with the host's own times of every node. */
class BenchEnd {
	description = describe('Bench End', 'benchEnd', 'Stops the meter');

	async execute() {
		const readings = end();
		const nodeMs = {};
		for (const [name, tasks] of Object.entries(this.runExecutionData.resultData.runData)) {
			nodeMs[name] = tasks.reduce((sum, { executionTime }) => sum + executionTime, 0);
		}
		return [[{ json: { ...readings, nodeMs, items: this.getInputData().length } }]];
	}
}

module.exports = { BenchEnd };
