import fc from 'fast-check';

/** The same values in each run, so that no run depends on luck; others each night, with `FULL_PROPERTIES=1`. */
if (process.env.FULL_PROPERTIES === undefined) fc.configureGlobal({ seed: 2026 });
