// Small pieces that the lists and the details have in common.
import { copyText, h, icon } from './dom.js';
import { money, sentence } from './format.js';

/** Colour and picture of a state. They always appear with the word, for people who cannot tell the colours apart. */
const TONES = {
	success: ['good', 'check'],
	paid: ['good', 'check'],
	delivered: ['good', 'check'],
	failed: ['bad', 'cross'],
	pending: ['wait', 'clock'],
	open: ['info', 'link'],
	cancelled: ['calm', 'minus'],
};

export const tone = (state) => (TONES[state] ?? ['calm', 'minus'])[0];

export function pill(state) {
	const [colour, picture] = TONES[state] ?? ['calm', 'minus'];
	return h('span', { class: `pill ${colour}` }, icon(picture), sentence(state ?? 'unknown'));
}

export const KINDS = { link: 'Payment link', collection: 'Collection', payout: 'Payout' };

/** The order reference of a link, a transaction or a request; empty when it names none. */
export const orderOf = (one) =>
	(typeof one?.order === 'string' ? one.order : one?.order?.reference) ||
	one?.third_party_reference_1 ||
	'';

export const orderTag = (reference) =>
	reference && h('span', { class: 'tag order' }, `Order ${reference}`);

/** What the callback URL said about the payment when it was sent, and whether that can be believed. */
export function orderFacts({ order }) {
	if (!order) return null;
	return facts([
		['Reference', order.reference || 'none in the callback URL', order.reference && 'mono'],
		['Asked for', money(order.amount, order.currency)],
		[
			'Code',
			order.genuine
				? 'holds: made with the secret key of this integration'
				: 'does not hold: made with another key, for another address, or changed',
		],
	]);
}

const VERDICTS = {
	verified: { tone: 'good', icon: 'seal', word: 'Verified' },
	refused: { tone: 'bad', icon: 'broken', word: 'Refused' },
	unsigned: { tone: 'calm', icon: 'minus', word: 'Unsigned' },
	unchecked: { tone: 'calm', icon: 'bolt', word: 'Unchecked' },
};

export function verdictOf({ verdict, fault }) {
	if (verdict) return verdict.ok ? 'verified' : 'refused';
	// Some faults answer before the signature is looked at.
	return fault ? 'unchecked' : 'unsigned';
}

export function verdictPill(request) {
	const look = VERDICTS[verdictOf(request)];
	return h('span', { class: `pill ${look.tone}` }, icon(look.icon), look.word);
}

/** The service may refuse with status 200; `refused` keeps such an answer from being shown in green. */
export function statusCode(status, refused = false) {
	const value = Number(status);
	const colours = { 2: refused ? 'wait' : 'good', 3: 'info', 4: 'wait' };
	const colour = colours[Math.floor(value / 100)] ?? 'bad';
	return h('span', { class: `code ${colour}` }, value ? String(value) : 'no reply');
}

/** One mark per delivery attempt, oldest first. */
export function attemptMarks(callback) {
	const attempts = callback.attempts ?? [];
	const marks = attempts
		.slice(-8)
		.map((attempt) => h('span', { class: `tick ${attemptOk(attempt) ? 'good' : 'bad'}` }));
	const label = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`;
	return h(
		'span',
		{ class: 'attempts' },
		h('span', { class: 'ticks', 'aria-hidden': 'true' }, marks),
		label,
	);
}

export const attemptOk = (attempt) =>
	!attempt.error && Number(attempt.status) >= 200 && Number(attempt.status) < 300;

export function copyButton(text, label = 'Copy') {
	const word = h('span', {}, label);
	const button = h('button', { class: 'button small copy', type: 'button' }, icon('copy'), word);
	button.addEventListener('click', async () => {
		word.textContent = (await copyText(text)) ? 'Copied' : 'Select and copy';
		setTimeout(() => (word.textContent = label), 1600);
	});
	return button;
}

/** Definition list of what is known; rows without a value are left out. */
export function facts(rows) {
	return h(
		'dl',
		{ class: 'facts' },
		rows
			.filter(([, value]) => value !== null && value !== undefined && value !== '')
			.map(([label, value, kind]) =>
				h('div', {}, h('dt', {}, label), h('dd', kind ? { class: kind } : {}, value)),
			),
	);
}

export function section(title, ...children) {
	return h('section', { class: 'block' }, h('h3', {}, title), children);
}

export function codeBlock(text, label) {
	return h('pre', { class: 'codeblock', tabindex: '0', 'aria-label': label }, text);
}
