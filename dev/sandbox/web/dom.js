// Data enters the page only as text nodes and attributes set here, so nothing is parsed as HTML.

const SVG = 'http://www.w3.org/2000/svg';

const ICONS = {
	check: ['M5 12.5l4.5 4.5L19 7.5'],
	cross: ['M6.5 6.5l11 11', 'M17.5 6.5l-11 11'],
	clock: ['M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z', 'M12 7.5V12l3 2'],
	minus: ['M6 12h12'],
	seal: [
		'M12 3l7.5 3v5.5c0 4.6-3.1 7.9-7.5 9.5-4.4-1.6-7.5-4.9-7.5-9.5V6z',
		'M8.7 12l2.4 2.4 4.4-4.6',
	],
	broken: [
		'M12 3l7.5 3v5.5c0 4.6-3.1 7.9-7.5 9.5-4.4-1.6-7.5-4.9-7.5-9.5V6z',
		'M9.6 9.6l4.8 4.8',
		'M14.4 9.6l-4.8 4.8',
	],
	open: ['M14 5h5v5', 'M19 5l-8 8', 'M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4'],
	copy: ['M9 9h10v11H9z', 'M15 9V4H5v11h4'],
	again: ['M19.5 12a7.5 7.5 0 1 1-2.3-5.4', 'M19.5 3.5v4.2h-4.2'],
	search: ['M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z', 'M16 16l4 4'],
	link: [
		'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1',
		'M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
	],
	swap: ['M4 8.5h14', 'M14.5 5l3.5 3.5-3.5 3.5', 'M20 15.5H6', 'M9.5 12L6 15.5 9.5 19'],
	bell: ['M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15z', 'M10 20.5h4'],
	wallet: [
		'M4 7.5h14.5a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18z',
		'M4 7.5l11-3v3',
		'M16 13.5h.5',
	],
	ledger: ['M6 4h12v16H6z', 'M9.5 8.5h5', 'M9.5 12h5', 'M9.5 15.5h3'],
	bolt: ['M13 3L5.5 13.5H12L11 21l7.5-10.5H12z'],
	phone: ['M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z', 'M11 17.5h2'],
	bank: ['M4 9.5L12 4.5l8 5z', 'M6.5 12v5', 'M12 12v5', 'M17.5 12v5', 'M4 19.5h16'],
	shop: [
		'M4.5 9.5L6 4.5h12l1.5 5',
		'M4.5 9.5a2.5 2.5 0 0 0 5 0 2.5 2.5 0 0 0 5 0 2.5 2.5 0 0 0 5 0',
		'M6 12.5v7h12v-7',
	],
	send: ['M20 4L10.5 13.5', 'M20 4l-6 16-3.5-6.5L4 10z'],
	back: ['M19 12H5', 'M11 6l-6 6 6 6'],
};

const isNode = (value) => typeof value === 'object' && value !== null && 'nodeType' in value;

const append = (node, children) => {
	for (const child of children.flat(Infinity)) {
		if (child === null || child === undefined || child === false || child === '') continue;
		node.append(isNode(child) ? child : String(child));
	}
	return node;
};

/** `h('p', { class: 'note', onclick }, 'text', otherNode)`; null and false children are left out. */
export function h(tag, props = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(props)) {
		if (value === null || value === undefined || value === false) continue;
		if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
		else node.setAttribute(name, value === true ? '' : String(value));
	}
	return append(node, children);
}

export function fill(node, ...children) {
	node.replaceChildren();
	return append(node, children);
}

export function icon(name) {
	const svg = document.createElementNS(SVG, 'svg');
	svg.setAttribute('viewBox', '0 0 24 24');
	svg.setAttribute('class', 'icon');
	svg.setAttribute('aria-hidden', 'true');
	for (const d of ICONS[name] ?? []) {
		const path = document.createElementNS(SVG, 'path');
		path.setAttribute('d', d);
		svg.append(path);
	}
	return svg;
}

/** The address if it is http or https, otherwise null: a `javascript:` address must not become a link. */
export function webAddress(value) {
	try {
		const url = new URL(String(value));
		return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
	} catch {
		return null;
	}
}
