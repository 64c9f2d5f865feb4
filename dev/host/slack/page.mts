import { escape, startPage } from '../shared/page.mts';
import type { Page } from '../shared/page.mts';

interface Posted {
	channel: string;
	text: string;
	buttons: ReadonlyArray<{ label: string; url: string }>;
	at: Date;
}

/** A page that shows the messages and reloads itself. */
export const startMessages = async (port: number, posted: () => readonly Posted[]) =>
	await startPage(port, () => page(posted()));

function page(posted: readonly Posted[]): Page {
	const channels = [...new Set(posted.map(({ channel }) => channel))].sort();
	const sections = channels.map((channel) => {
		const messages = posted.filter((each) => each.channel === channel).reverse();
		return `<section><h2>${escape(channel)}</h2>${messages.map(message).join('')}</section>`;
	});
	return {
		title: 'Messages to Slack',
		about: 'A stand-in on this machine. Nothing goes to the real Slack.',
		body:
			sections.join('') ||
			'<h2>Nothing yet</h2><p>Pay a link whose payments are reported to “Status alerts to Slack”.</p>',
	};
}

const message = ({ text, buttons, at }: Posted) =>
	`<article><time>${at.toTimeString().slice(0, 8)}</time>${formatted(text)}${buttons.map(button).join('')}</article>`;

const button = ({ label, url }: Posted['buttons'][number]) =>
	` <a target="_blank" href="${escape(url)}">${escape(label)}</a>`;

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
