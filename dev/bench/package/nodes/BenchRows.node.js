'use strict';

const { randomBytes } = require('node:crypto');

const { describe, field } = require('../lib/describe.js');
const { begin } = require('../lib/meter.js');
const { linkRow, sheetRow } = require('../lib/sheet.js');

/**
 * As many rows of a sheet as the webhook's caller asks for, without an expression. Its last act is
 * to start the meter, so that what follows is all that is measured.
 */
class BenchRows {
	description = describe('Bench Rows', 'benchRows', 'Gives the rows of a sheet', {
		properties: [
			field('Give Timestamp and Salt', 'freshness', 'boolean', false),
			field('Give Payment Links', 'links', 'boolean', false),
		],
	});

	async execute() {
		const { rows, run, shrink } = this.getInputData()[0].json.body;
		const freshness = this.getNodeParameter('freshness', 0);
		const rowOf = this.getNodeParameter('links', 0) ? linkRow : sheetRow;
		const items = Array.from({ length: rows }, (_, index) => ({
			json: { ...rowOf(run, index), ...(freshness ? fresh() : {}) },
			pairedItem: { item: 0 },
		}));
		begin({ shrink });
		return [items];
	}
}

/** What a recipe would have to make in a step of its own: given to it for nothing. */
const fresh = () => ({
	Timestamp: Math.floor(Date.now() / 1000),
	Salt: randomBytes(16).toString('hex'),
});

module.exports = { BenchRows };
