import { fill, h, icon, webAddress } from './dom.js';
import { fullDate, money, sentence } from './format.js';

const REDIRECT_SECONDS = 3;

const sheet = document.getElementById('sheet');
const bill = document.getElementById('bill');
const desk = document.getElementById('desk');
const announcer = document.getElementById('announce');
const reference = decodeReference(location.pathname);

function decodeReference(path) {
	const last = path.replace(/\/+$/, '').split('/').pop();
	try {
		return decodeURIComponent(last);
	} catch {
		return last;
	}
}

const announce = (text) => {
	announcer.textContent = text;
};

async function api(method, path, body) {
	const response = await fetch(path, {
		method,
		headers: body ? { 'content-type': 'application/json' } : {},
		body: body ? JSON.stringify(body) : undefined,
	});
	const json = await response.json().catch(() => null);
	return { status: response.status, json };
}

const linkPath = `/sandbox/links/${encodeURIComponent(reference)}`;

// ── The bill ────────────────────────────────────────────────────────────────────────────────

/** Two letters in place of a logo. */
function initials(name) {
	const words = String(name ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
	const letters = words.slice(0, 2).map((word) => Array.from(word)[0]);
	return letters.join('').toUpperCase() || '•';
}

function badge(link) {
	const letters = () =>
		h('span', { class: 'badge', 'aria-hidden': 'true' }, initials(link.business_name));
	if (typeof link.logo !== 'string' || !/^data:image\/[a-z0-9.+-]+[;,]/i.test(link.logo))
		return letters();
	const image = h('img', { alt: '', src: link.logo });
	const frame = h('span', { class: 'badge logo' }, image);
	image.addEventListener('error', () => frame.replaceWith(letters()));
	return frame;
}

function showBill(link) {
	const business = link.business_name || 'Payment';
	document.title = `${business} · ${money(link.amount, link.currency)} · Sandbox`;
	fill(
		bill,
		h(
			'div',
			{ class: 'merchant' },
			badge(link),
			h('div', {}, h('h1', {}, business), link.country && h('p', {}, link.country)),
		),
		h(
			'dl',
			{ class: 'total' },
			h('dt', {}, 'Amount to pay'),
			h('dd', { class: 'amount' }, money(link.amount, link.currency)),
		),
		h(
			'dl',
			{ class: 'lines' },
			link.item_name && line('For', link.item_name),
			line('Currency', link.currency),
			line('Reference', link.reference, 'mono'),
		),
	);
}

const line = (label, value, kind) =>
	h('div', {}, h('dt', {}, label), h('dd', kind ? { class: kind } : {}, value));

// ── The form ────────────────────────────────────────────────────────────────────────────────

const METHOD_ICONS = [
	[/bank/i, 'bank'],
	[/till|bill/i, 'shop'],
	[/send/i, 'send'],
];

/** As people write it; with its dial code a number has no more than 15 digits. */
const isPhoneNumber = (given) =>
	/^\+?[\d\s().-]+$/.test(given) && /^\d{8,15}$/.test(given.replace(/\D/g, ''));

const needsNoPhone = (method) => /bank/i.test(method ?? '');

function field(name, label, value, attributes, whole = false) {
	return h(
		'div',
		{ class: whole ? 'field whole' : 'field' },
		h('label', { for: name }, label),
		h('input', { id: name, name, value: value ?? '', ...attributes }),
	);
}

function methodChoice(name, checked) {
	const [, picture] = METHOD_ICONS.find(([pattern]) => pattern.test(name)) ?? [null, 'phone'];
	return h(
		'label',
		{ class: 'method' },
		h('input', { type: 'radio', name: 'method', value: name, checked }),
		icon(picture),
		h('span', {}, sentence(name)),
		h('span', { class: 'tick', 'aria-hidden': 'true' }),
	);
}

function showForm(link) {
	const methods = Array.isArray(link.methods) ? link.methods : [];
	const pay = h(
		'button',
		{ class: 'button primary pay', type: 'submit' },
		`Pay ${money(link.amount, link.currency)}`,
	);
	const fail = h(
		'button',
		{ class: 'button danger', type: 'button' },
		icon('cross'),
		'Let it fail',
	);
	const part = h('button', { class: 'button', type: 'button' }, 'Another amount');
	const cancel = h('button', { class: 'button', type: 'button' }, 'Cancel');
	const amount = field('amount', 'Amount', link.amount, { inputmode: 'decimal' }, true);
	const amountInput = amount.querySelector('input');
	const alert = h('p', { class: 'alert', role: 'alert', hidden: true });
	const form = h(
		'form',
		{ novalidate: true },
		h(
			'fieldset',
			{ class: 'group' },
			h('legend', {}, 'Your details'),
			h(
				'div',
				{ class: 'fields' },
				field('first_name', 'First name', link.first_name, { autocomplete: 'given-name' }),
				field('last_name', 'Last name', link.last_name, { autocomplete: 'family-name' }),
				field(
					'email',
					'Email',
					link.email,
					{ type: 'email', autocomplete: 'email', inputmode: 'email' },
					true,
				),
				field(
					'phone',
					'Mobile number',
					link.phone,
					{ type: 'tel', autocomplete: 'tel', inputmode: 'tel' },
					true,
				),
			),
		),
		methods.length > 0 &&
			h(
				'fieldset',
				{ class: 'group' },
				h('legend', {}, 'Pay with'),
				h(
					'div',
					{ class: methods.length > 1 ? 'methods many' : 'methods' },
					methods.map((name, index) => methodChoice(name, index === 0)),
				),
			),
		h(
			'div',
			{},
			alert,
			pay,
			h('div', { class: 'ways-out' }, part, fail, cancel),
			h('p', { class: 'note' }, 'You decide how this payment ends.'),
		),
	);

	const chosen = () => form.querySelector('[name=method]:checked')?.value;
	const phone = form.querySelector('#phone');

	/** The message appears next to the field, where the customer is looking. */
	const complain = (input, text) => {
		input.parentElement.querySelector('.problem')?.remove();
		input.setAttribute('aria-invalid', String(text !== null));
		input.removeAttribute('aria-describedby');
		if (text === null) return false;
		input.after(h('p', { class: 'problem', id: `${input.id}-problem` }, text));
		input.setAttribute('aria-describedby', `${input.id}-problem`);
		announce(text);
		input.focus();
		return true;
	};

	const phoneMissing = () => {
		const given = phone.value.trim();
		const missing = given === '' ? !needsNoPhone(chosen()) : !isPhoneNumber(given);
		if (!missing) return complain(phone, null);
		return complain(
			phone,
			given === ''
				? 'Enter the mobile number that pays, for example 254712345678.'
				: 'This is not a whole mobile number. Enter it like 254712345678.',
		);
	};

	/** Null when it is no part of what is asked for. */
	const partGiven = () => {
		const given = amountInput.value.trim();
		const value = /^\d{1,12}(?:\.\d{1,2})?$/.test(given) ? Number(given) : 0;
		return value > 0 && value <= link.amount ? value : null;
	};
	const partWrong = () =>
		complain(
			amountInput,
			!amount.isConnected || partGiven() !== null
				? null
				: `Enter an amount of at most ${money(link.amount, link.currency)}, for example 100.50.`,
		);

	part.addEventListener('click', () => {
		pay.before(amount);
		part.remove();
		amountInput.select();
	});
	amountInput.addEventListener('input', () => {
		pay.textContent = `Pay ${money(partGiven() ?? link.amount, link.currency)}`;
	});

	const finish = async (outcome) => {
		const buttons = [pay, part, fail, cancel];
		const idle = [...pay.childNodes];
		buttons.forEach((button) => (button.disabled = true));
		alert.hidden = true;
		if (outcome !== 'cancelled') fill(pay, h('span', { class: 'spin' }), 'One moment…');
		announce('Sending your payment.');
		try {
			const { status, json } = await api('POST', `${linkPath}/pay`, {
				outcome,
				...(chosen() ? { method: chosen() } : {}),
				...(phone.value.trim() ? { mobile: phone.value.trim() } : {}),
				...(outcome === 'success' && amount.isConnected ? { amount: partGiven() } : {}),
			});
			// Somebody else finished this link while the form was open.
			if (status === 409 || status === 404) return await load();
			if (status >= 400 || !json)
				throw new Error(json?.message ?? `the service answered ${status}`);
			showResult(
				{ ...link, state: json.state, transaction: json.transaction },
				json.redirect,
				chosen(),
			);
		} catch (error) {
			buttons.forEach((button) => (button.disabled = false));
			pay.replaceChildren(...idle);
			alert.textContent = `This did not go through: ${error.message}. Nothing was paid; try again.`;
			alert.hidden = false;
		}
	};

	form.addEventListener('submit', (event) => {
		event.preventDefault();
		if (!phoneMissing() && !partWrong()) void finish('success');
	});
	fail.addEventListener('click', () => void finish('failed'));
	cancel.addEventListener('click', () => void finish('cancelled'));
	fill(desk, form);
}

// ── Results ─────────────────────────────────────────────────────────────────────────────────

const RESULTS = {
	paid: { seal: 'good', icon: 'check', title: 'Payment received' },
	failed: { seal: 'bad', icon: 'cross', title: 'Payment failed' },
	cancelled: { seal: 'calm', icon: 'minus', title: 'Payment cancelled' },
};

/** A part of what was asked for may be paid. */
const paidOf = (link) => link.paid ?? link.transaction?.amount ?? link.amount;
const isPart = (link) => link.state === 'paid' && paidOf(link) < link.amount;

function showTotal(link) {
	const total = bill.querySelector('.total dt');
	const amount = bill.querySelector('.total dd');
	if (!total || !amount) return;
	const isPaid = link.state === 'paid';
	total.textContent = isPaid ? (isPart(link) ? 'Part paid' : 'Amount paid') : 'Amount';
	if (isPaid) amount.textContent = money(paidOf(link), link.currency);
}

function explain(link, state) {
	const amount = money(paidOf(link), link.currency);
	const business = link.business_name || 'The business';
	if (state === 'paid')
		return isPart(link)
			? `${business} has your ${amount} of ${money(link.amount, link.currency)}. Keep the reference for your records.`
			: `${business} has your ${amount}. Keep the reference for your records.`;
	if (state === 'cancelled') return `You stopped this payment. You were not charged.`;
	const reason = link.transaction?.failureReason?.failureMessage;
	return reason
		? `${sentence(reason)}. You were not charged.`.replace('..', '.')
		: 'You were not charged.';
}

function receipt(link, method) {
	// A stored link names its transaction; the reply to a payment carries the whole record.
	const known = link.transaction;
	const transaction = typeof known === 'string' ? { ref: known } : known;
	const rows = [
		['Amount', money(link.amount, link.currency)],
		['Paid', isPart(link) && money(paidOf(link), link.currency)],
		['Paid with', method && sentence(method)],
		['Transaction', transaction?.ref],
		['Date', fullDate(transaction?.updated_at ?? transaction?.created_at)],
	];
	return h(
		'dl',
		{ class: 'receipt' },
		rows.filter(([, value]) => value).map(([label, value]) => line(label, value)),
	);
}

function showResult(link, redirect, method) {
	const { state } = link;
	const look = RESULTS[state];
	const title = h('h2', { tabindex: '-1' }, look.title);
	const why = explain(link, state);
	const paidWith = method ?? link.transaction?.payment_channel;
	fill(
		desk,
		h(
			'div',
			{ class: 'result', 'data-state': state },
			h('span', { class: `seal ${look.seal}` }, icon(look.icon)),
			title,
			h('p', { class: 'why' }, why),
			receipt(link, state === 'paid' ? paidWith : null),
			onward(redirect),
		),
	);
	showTotal(link);
	sheet.dataset.done = state;
	announce(`${look.title}. ${why}`);
	window.scrollTo(0, 0);
	title.focus({ preventScroll: true });
}

/** The way back to the shop: a countdown that can be skipped or stopped. */
function onward(redirect) {
	const address = redirect ? webAddress(redirect) : null;
	if (!address) {
		return h('p', { class: 'note' }, 'You can close this page.');
	}
	const seconds = h('strong', {}, String(REDIRECT_SECONDS));
	const text = h('p', {}, `Returning to ${new URL(address).host} in `, seconds, ' s');
	const bar = h('div', { class: 'bar', 'aria-hidden': 'true' }, h('span'));
	bar.style.setProperty('--for', `${REDIRECT_SECONDS}s`);
	const stay = h('button', { class: 'button', type: 'button' }, 'Stay here');
	let left = REDIRECT_SECONDS;
	const timer = window.setInterval(() => {
		left -= 1;
		seconds.textContent = String(Math.max(left, 0));
		if (left > 0) return;
		window.clearInterval(timer);
		location.assign(address);
	}, 1000);
	stay.addEventListener('click', () => {
		window.clearInterval(timer);
		text.textContent = 'You stay on this page. Return whenever you like.';
		announce('The countdown is stopped.');
		bar.remove();
		box.querySelector('a').focus();
		stay.remove();
	});
	const box = h(
		'div',
		{ class: 'onward' },
		text,
		bar,
		h('a', { class: 'button primary', href: address }, icon('back'), 'Return now'),
		stay,
	);
	return box;
}

// ── Links that cannot be paid ───────────────────────────────────────────────────────────────

const CLOSED = {
	paid: [
		'good',
		'check',
		'This link is already paid',
		'Nothing more to do: you will not be charged again.',
	],
	failed: [
		'bad',
		'cross',
		'This payment failed',
		'The link is closed. Ask the business for a new one.',
	],
	cancelled: [
		'calm',
		'minus',
		'This payment was cancelled',
		'The link is closed. Ask the business for a new one.',
	],
};

const PART_PAID = [
	'good',
	'check',
	'A part of this link is paid',
	'The link takes no second payment. Ask the business for a link for the rest.',
];

function showClosed(link) {
	const [seal, picture, title, why] = isPart(link) ? PART_PAID : CLOSED[link.state];
	const back = webAddress(link.redirection_url);
	fill(
		desk,
		h(
			'div',
			{ class: 'result', 'data-state': `closed-${link.state}` },
			h('span', { class: `seal ${seal}` }, icon(picture)),
			h('h2', { tabindex: '-1' }, title),
			h('p', { class: 'why' }, why),
			receipt(link, link.state === 'paid' ? link.transaction?.payment_channel : null),
			back &&
				h(
					'div',
					{ class: 'onward' },
					h('a', { class: 'button', href: back }, icon('back'), `Go to ${new URL(back).host}`),
				),
		),
	);
	showTotal(link);
	sheet.dataset.done = link.state;
	announce(`${title}. ${why}`);
}

function showAlone(state, picture, title, why, ...more) {
	sheet.classList.add('alone');
	document.title = `${title} · Sandbox`;
	fill(
		desk,
		h(
			'div',
			{ class: 'result', 'data-state': state },
			h('span', { class: 'seal' }, icon(picture)),
			h('h1', { class: 'alone-title' }, title),
			h('p', { class: 'why' }, why),
			more,
		),
	);
	announce(`${title}. ${why}`);
}

async function load() {
	sheet.classList.remove('alone');
	sheet.setAttribute('aria-busy', 'true');
	try {
		const { status, json } = await api('GET', linkPath);
		if (status === 404) {
			showAlone(
				'unknown',
				'link',
				'We cannot find this link',
				'It may be mistyped, or the sandbox was restarted: it forgets its links when it stops.',
				h('p', { class: 'note mono' }, reference),
			);
		} else if (status >= 400 || !json) {
			throw new Error(`status ${status}`);
		} else {
			showBill(json);
			if (CLOSED[json.state]) showClosed(json);
			else showForm(json);
		}
	} catch {
		showAlone(
			'offline',
			'bolt',
			'The sandbox is not responding',
			'Check that it is still running, then try again. Nothing was paid.',
			h(
				'div',
				{ class: 'onward' },
				h(
					'button',
					{ class: 'button primary', type: 'button', onclick: () => void load() },
					'Try again',
				),
			),
		);
	} finally {
		sheet.removeAttribute('aria-busy');
	}
}

void load();
