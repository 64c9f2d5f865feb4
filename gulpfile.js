const { spawn } = require('node:child_process');
const { readdir, rm } = require('node:fs/promises');
const { dest, series, src } = require('gulp');

const compile = () => spawn('n8n-node', ['build'], { stdio: 'inherit', shell: true });

/** n8n-node copies icons and schemas, and leaves these out. */
const codex = () => src('nodes/**/*.node.json', { base: '.' }).pipe(dest('dist'));

/** n8n-node also copies every other picture that it finds. */
async function prune() {
	const extra = (await readdir('dist')).filter((name) => !/^(credentials|icons|nodes)$/.test(name));
	await Promise.all(extra.map((name) => rm(`dist/${name}`, { recursive: true })));
}

exports.build = series(compile, codex, prune);
