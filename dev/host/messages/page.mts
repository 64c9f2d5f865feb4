import { readFile } from 'node:fs/promises';

import { escape, startPage } from '../shared/page.mts';
import type { Page } from '../shared/page.mts';

interface Shown {
	to: string;
	subject?: string;
	text: string;
	at: Date;
}

/** The sheet to begin with, which the page has to download. */
export const FIVE_ORDERS = 'five-orders.xlsx';

/** A page that shows the messages, newest first, and reloads itself. */
export const startMessagesPage = async (port: number, messages: () => readonly Shown[]) =>
	await startPage(port, () => page(messages()), {
		[FIVE_ORDERS]: await readFile(`examples/sheets/${FIVE_ORDERS}`),
	});

const page = (messages: readonly Shown[]): Page => ({
	title: 'Messages',
	about: 'E-mails, Slack, SMS and WhatsApp messages of n8n. Nothing leaves this machine.',
	body:
		[...messages].reverse().map(article).join('') ||
		'<h2>Nothing yet</h2><p>Messages appear here when n8n has sent them.</p>',
});

const article = ({ to, subject, text, at }: Shown) =>
	`<article><time>${at.toTimeString().slice(0, 8)}</time><b>${escape(subject ?? to)}</b>
<span>to ${escape(to)}</span>

${to.startsWith('#') ? formatted(text) : linked(text.trim())}</article>`;

/** Its addresses can be followed; of HTML, what it says. */
function linked(text: string): string {
	const said = /<html|<body|<div/i.test(text) ? withoutTags(text) : escape(text);
	return said.replace(
		/https?:\/\/[^\s<>"]+/g,
		(address) => `<a target="_blank" href="${address}">${address}</a>`,
	);
}

/** The address of each link beside its words. */
const withoutTags = (html: string) =>
	escape(
		html
			.replace(/<(style|script|head)[^]*?<\/\1>/gi, '')
			.replace(/<a [^>]*href="([^"]*)"[^>]*>([^]*?)<\/a>/gi, '$2: $1 ')
			.replace(/<[^>]*>/g, ' ')
			.replaceAll('&amp;', '&')
			.replace(/[ \t]+/g, ' ')
			.replace(/\s*\n\s*/g, '\n'),
	);

/** Signs that ordinary fonts have: not every machine has one with emoji. */
const EMOJI: Readonly<Record<string, string>> = {
	white_check_mark: '✔',
	x: '✘',
	hourglass_flowing_sand: '⌛',
	grey_question: '?',
	rotating_light: '⚠',
	warning: '⚠',
	money_with_wings: '↗',
};

/** Slack's own markup, as far as our examples use it. */
const formatted = (text: string) =>
	escape(text)
		.replace(/:(\w+):/g, (whole, name: string) => EMOJI[name] ?? whole)
		.replace(/\*([^*\n]+)\*/g, '<b>$1</b>');
