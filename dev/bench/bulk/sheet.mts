import { createRequire } from 'node:module';

interface Sheet {
	COUNTRIES: Record<string, { id: number; currency: string; dial: string }>;
	HEADINGS: Record<Field, string>;
}

export type Field =
	| 'country'
	| 'currency'
	| 'amount'
	| 'mobile'
	| 'paymentMethodType'
	| 'callbackUrl'
	| 'orderReference'
	| 'thirdPartyReference2';

const require = createRequire(import.meta.url);

/** The sheet that the rows node gives. */
export const { COUNTRIES, HEADINGS } = require('../package/lib/sheet.js') as Sheet;

export const FIELDS = Object.keys(HEADINGS) as Field[];
