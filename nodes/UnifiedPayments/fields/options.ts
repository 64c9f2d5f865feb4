import { z } from 'zod';

import { check } from './inputError';
import { choice, isBlank, readWith, type RawFields } from './text';
import type { MobileFormat } from './mobile';
import { bad, good, type Read } from './read';

const numberBetween = (least: number, most: number, fallback: number, whole = true) =>
	readWith((given): Read<number> => {
		if (isBlank(given)) return good(fallback);
		const value = typeof given === 'string' ? Number(given) : given;
		const fits =
			typeof value === 'number' &&
			value >= least &&
			value <= most &&
			(!whole || Number.isInteger(value));
		const kind = whole ? 'whole number' : 'number';
		return fits
			? good(value)
			: bad(
					`which is not a ${kind} from ${least} to ${most}`,
					`Give a ${kind} from ${least} to ${most}.`,
				);
	});

const flag = (fallback: boolean) =>
	readWith((given): Read<boolean> => {
		if (isBlank(given)) return good(fallback);
		if (given === true || given === 'true') return good(true);
		if (given === false || given === 'false') return good(false);
		return bad('which is neither true nor false', 'Give true or false.');
	});

const words = readWith((given): Read<string[]> => {
	if (isBlank(given)) return good([]);
	if (typeof given !== 'string') return bad('which is not text', 'Give words separated by commas.');
	return good(
		given
			.split(',')
			.map((word) => word.trim())
			.filter((word) => word !== ''),
	);
});

const key = readWith((given): Read<string | null> => {
	if (isBlank(given)) return good(null);
	return typeof given === 'string' || typeof given === 'number'
		? good(String(given))
		: bad('which is not text', 'Give text, e.g. an order number.');
});

const schema = z.object({
	concurrency: numberBetween(1, 50, 5),
	requestsPerSecond: numberBetween(0, 1000, 0, false),
	timeoutSeconds: numberBetween(1, 300, 30, false),
	maxRetries: numberBetween(0, 10, 3),
	dryRun: flag(false),
	duplicateProtection: flag(true),
	duplicateKey: key,
	onDuplicate: choice('skip', 'error', 'sendAnyway'),
	allowUnsupportedCountry: flag(false),
	mobileFormat: choice<MobileFormat>('international', 'e164', 'asEntered'),
	successStatuses: words,
	failureStatuses: words,
});

/** The `options` group of one row, with its defaults filled in. */
export type RowOptions = z.output<typeof schema>;

const known = new WeakMap<RawFields, RowOptions>();

/** Rows that share their options share the object, too, and it is read once. */
export function readOptions(raw: RawFields): RowOptions {
	const options = known.get(raw) ?? check(schema, raw);
	known.set(raw, options);
	return options;
}
