module.exports = require('./resolver.cjs')('zod-4-0', { built: true });
