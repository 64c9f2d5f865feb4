// What a script needs before it can start. It runs on any Node, however old, so it is written in old words.
'use strict';

const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '..', '..');
const { node } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).engines;

const numbers = (version) => version.replace('>=', '').split('.').map(Number);
const needed = numbers(node);
const own = numbers(process.versions.node);
const isTooOld = own[0] < needed[0] || (own[0] === needed[0] && own[1] < needed[1]);

let missing = '';
if (isTooOld) {
	missing = `This needs Node ${needed.join('.')} or newer, and this is Node ${process.versions.node}. Get one from https://nodejs.org`;
} else if (!fs.existsSync(path.join(root, 'node_modules', 'tsx'))) {
	missing = 'Nothing is installed yet. Run this first: npm ci';
}
if (missing !== '') {
	console.error(missing);
	process.exitCode = 1;
}
