const { createHash } = require('node:crypto');

/** A package that the test files of one worker share: Node loads it, once (see `environment.cjs`). */
module.exports = {
	process: (_source, path) => ({
		code: `module.exports = requireShared(${JSON.stringify(path)});`,
	}),
	getCacheKey: (_source, path) => createHash('sha256').update(`shared ${path}`).digest('hex'),
};
