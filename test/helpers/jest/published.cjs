const path = require('node:path');

const ROOT = path.resolve(__dirname, '../../..');
const DIST = path.join(ROOT, 'dist');

const isPublished = (file, root) =>
	['nodes', 'credentials'].some((folder) => file.startsWith(path.join(root, folder) + path.sep));

/** Resolves modules as on a host with the built package and the newest zod; the host's own packages keep theirs. */
module.exports = (request, options) => {
	const fromPublished = isPublished(options.basedir + path.sep, DIST);
	const found = options.defaultResolver(
		fromPublished && request === 'zod' ? 'zod-4' : request,
		options,
	);
	return isPublished(found, ROOT)
		? path.join(DIST, path.relative(ROOT, found)).replace(/\.ts$/, '.js')
		: found;
};
