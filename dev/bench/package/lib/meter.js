'use strict';

const { readFileSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

let reading;

/**
 * Starts to measure this process, from a clean heap on. With
 * `shrink` all memory that can be is given back first, so that its growth shows; that throws compiled
 * code away as well, so such a run says nothing about time.
 */
function begin({ shrink = false } = {}) {
	if (shrink) gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
	else gc();
	const heap = process.memoryUsage().heapUsed;
	const rss = process.memoryUsage.rss();
	const peakIsKnown = resetPeak();
	reading = { heap, rss, peakIsKnown, cpu: process.cpuUsage() };
}

/** What was used since `begin`. */
function end() {
	const { user, system } = process.cpuUsage(reading.cpu);
	const peak = reading.peakIsKnown ? readPeak() : null;
	gc();
	const { heap, rss } = reading;
	return {
		cpuMs: (user + system) / 1000,
		rssBytes: rss,
		peakRssBytes: peak,
		heapGrowthBytes: process.memoryUsage().heapUsed - heap,
	};
}

/** Sets back the kernel's mark of the most memory used; only Linux can. */
function resetPeak() {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
		return true;
	} catch {
		return false;
	}
}

const readPeak = () =>
	Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;

module.exports = { begin, end };
