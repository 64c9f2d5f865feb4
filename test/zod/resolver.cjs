const path = require('node:path');

const ROOT = path.resolve(__dirname, '../..');
const DIST = path.join(ROOT, 'dist');
const PUBLISHED = ['nodes', 'credentials'];

const isBelow = (file, folder) => file.startsWith(folder + path.sep);

const belowPublished = (file, root) =>
	PUBLISHED.some((folder) => isBelow(file, path.join(root, folder)));

/**
 * Resolves modules as on a host that provides another release of zod, and no p-limit. The host's
 * own packages keep the zod they were made for.
 *
 * @param {string} zod name under which that release is installed here
 * @param {{ built: boolean }} options `built`: tests get the built package instead of its sources
 */
module.exports =
	(zod, { built }) =>
	(request, options) => {
		const fromPublished = belowPublished(options.basedir + path.sep, built ? DIST : ROOT);
		if (fromPublished && request === 'p-limit') {
			throw new Error('This host does not provide p-limit');
		}
		const wanted = fromPublished && request === 'zod' ? zod : request;
		const found = options.defaultResolver(wanted, options);
		if (!built || !belowPublished(found, ROOT)) return found;
		return path.join(DIST, path.relative(ROOT, found)).replace(/\.ts$/, '.js');
	};
