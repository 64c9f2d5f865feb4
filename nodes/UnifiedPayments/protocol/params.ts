/** The JSON text of `params`. Only text can say 80.00: as a number it is 80. */
export function writeParams(
	params: Readonly<Record<string, unknown>>,
	twoDecimals = false,
): string {
	const { amount } = params;
	if (!twoDecimals || typeof amount !== 'number') return JSON.stringify(params);
	const members = Object.entries(params).map(([name, value]) => {
		const text = name === 'amount' ? amount.toFixed(2) : JSON.stringify(value);
		return `${JSON.stringify(name)}:${text}`;
	});
	return `{${members.join(',')}}`;
}
