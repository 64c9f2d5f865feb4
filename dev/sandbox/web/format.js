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

/** What a link asks for; `Ksh 5,000.00 of Ksh 15,000.00` when a part was paid. */
export const amountOf = ({ paid, amount, currency }) =>
	paid !== undefined && paid < amount
		? `${money(paid, currency)} of ${money(amount, currency)}`
		: money(amount, currency);

/** `ZMW 10,143.32`, where amounts of several currencies appear together. */
export const moneyWithCode = (amount, currency) => money(amount, currency, 'code');

const clockFormat = new Intl.DateTimeFormat('en-GB', {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
});
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const fullFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const date = (value) => {
	const parsed = new Date(value);
	return Number.isNaN(parsed.getTime()) ? null : parsed;
};

export const clock = (value) => {
	const at = date(value);
	return at ? clockFormat.format(at) : '';
};

/** Clock time today, day and clock time before that. */
export const when = (value, now = new Date()) => {
	const at = date(value);
	if (!at) return '';
	const time = clockFormat.format(at);
	return at.toDateString() === now.toDateString() ? time : `${dayFormat.format(at)}, ${time}`;
};

export const fullDate = (value) => {
	const at = date(value);
	return at ? fullFormat.format(at) : '';
};

export const count = (value) => Number(value ?? 0).toLocaleString('en');

export const duration = (ms) => {
	if (typeof ms !== 'number' || !Number.isFinite(ms)) return '';
	if (ms < 1) return '<1 ms';
	return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
};

export const plural = (number, one, many = `${one}s`) =>
	`${count(number)} ${number === 1 ? one : many}`;

/** 'till number' → 'Till number' */
export const sentence = (text) => {
	const value = String(text ?? '');
	return value.charAt(0).toUpperCase() + value.slice(1);
};
