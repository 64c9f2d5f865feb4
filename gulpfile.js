const { spawn } = require('node:child_process');
const { readdir, rm } = require('node:fs/promises');
const path = require('node:path');
const { dest, series, src } = require('gulp');

/** What a user's n8n needs of dist; n8n-node build also copies every other picture it finds. */
const PUBLISHED = ['credentials', 'icons', 'nodes'];

function compile() {
	return spawn('n8n-node', ['build'], { stdio: 'inherit', shell: true });
}

async function prune() {
	const entries = await readdir('dist');
	const extra = entries.filter((entry) => !PUBLISHED.includes(entry));
	await Promise.all(extra.map((entry) => rm(path.join('dist', entry), { recursive: true })));
}

/** Icons, codex files and output schemas, beside the compiled code that names them. */
function assets() {
	return src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
}

exports.assets = assets;
exports.build = series(compile, prune, assets);
