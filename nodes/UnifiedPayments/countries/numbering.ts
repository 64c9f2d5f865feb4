/** What it takes to recognise a country's mobile numbers (national numbering plans). */
interface MobilePlan {
	/** The national number without any trunk zero. */
	pattern: RegExp;
	/** True where people dial a zero first that is not part of the number. */
	trunkZero: boolean;
	/** A number as people write it at home, for hints. */
	example: string;
}

/** By ISO code. Benin, Cote D'Ivoire, Cameroon and Senegal have no trunk zero. */
export const MOBILE_PLANS: Readonly<Record<string, MobilePlan>> = {
	KE: { pattern: /^[17]\d{8}$/, trunkZero: true, example: '0712 345678' },
	BJ: { pattern: /^01\d{8}$/, trunkZero: false, example: '01 95 12 34 56' },
	CI: { pattern: /^0[157]\d{8}$/, trunkZero: false, example: '07 12 34 56 78' },
	CM: { pattern: /^(?:6\d|24)\d{7}$/, trunkZero: false, example: '671 234 567' },
	SN: { pattern: /^7\d{8}$/, trunkZero: false, example: '77 123 45 67' },
	TZ: { pattern: /^[67]\d{8}$/, trunkZero: true, example: '0712 345 678' },
	UG: { pattern: /^7\d{8}$/, trunkZero: true, example: '0712 345678' },
	ZM: { pattern: /^[579]\d{8}$/, trunkZero: true, example: '0955 123456' },
	SL: { pattern: /^[2-9]\d{7}$/, trunkZero: true, example: '076 123456' },
	GH: { pattern: /^[25]\d{8}$/, trunkZero: true, example: '024 123 4567' },
	NG: { pattern: /^[789]\d{9}$/, trunkZero: true, example: '0802 123 4567' },
};
