module.exports = require('./resolver.cjs')('zod-4-newest', { built: true });
