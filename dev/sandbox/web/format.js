// Amounts are written the way the payer's country writes them, in the language of the page.
const REGION = {
	KES: 'KE',
	XOF: 'CI',
	XAF: 'CM',
	TZS: 'TZ',
	UGX: 'UG',
	ZMW: 'ZM',
	SLE: 'SL',
	GHS: 'GH',
	NGN: 'NG',
};

const formatters = new Map();

function formatter(currency, display, digits) {
	const key = `${currency}/${display}/${digits}`;
	let found = formatters.get(key);
	if (!found) {
		const options = { style: 'currency', currency, currencyDisplay: display };
		if (digits !== undefined) options.minimumFractionDigits = digits;
		found = new Intl.NumberFormat(`en-${REGION[currency] ?? 'GB'}`, options);
		formatters.set(key, found);
	}
	return found;
}

export function money(amount, currency, display = 'symbol') {
	const text = String(amount ?? '').trim();
	const decimals = /^-?\d+(?:\.(\d+))?$/.exec(text);
	if (!decimals) return `${text} ${currency ?? ''}`.trim();
	try {
		const plain = formatter(currency, display);
		const usual = plain.resolvedOptions().maximumFractionDigits;
		// Cents are shown even if the currency has none, so that nothing is rounded away.
		const wanted = (decimals[1] ?? '').replace(/0+$/, '').length;
		return (
			wanted > usual ? formatter(currency, display, Math.min(Math.max(wanted, 2), 8)) : plain
		).format(text);
	} catch {
		return `${text} ${currency ?? ''}`.trim();
	}
}

const fullFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const date = (value) => {
	const parsed = new Date(value);
	return Number.isNaN(parsed.getTime()) ? null : parsed;
};

export const fullDate = (value) => {
	const at = date(value);
	return at ? fullFormat.format(at) : '';
};

/** 'till number' → 'Till number' */
export const sentence = (text) => {
	const value = String(text ?? '');
	return value.charAt(0).toUpperCase() + value.slice(1);
};
