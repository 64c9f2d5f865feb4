module.exports = require('./resolver.cjs')('zod', { built: true });
