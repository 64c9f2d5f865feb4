import { createServer } from 'node:http';

import { close, listen } from '../shared/listen.mts';

interface Posted {
	channel: string;
	text: string;
	buttons: ReadonlyArray<{ label: string; url: string }>;
	at: Date;
}

/** A page that shows the messages and reloads itself. */
export async function startPage(
	wanted: number,
	posted: () => readonly Posted[],
): Promise<{ url: string; close: () => Promise<void> }> {
	const server = createServer((_, response) => {
		response.setHeader('Content-Type', 'text/html; charset=utf-8');
		response.setHeader('Cache-Control', 'no-store');
		response.end(page(posted()));
	});
	const port = await listen(server, wanted);
	return { url: `http://127.0.0.1:${port}`, close: async () => await close(server) };
}

const STYLE = `
:root { color-scheme: light dark; --bg: #f4f3ee; --card: #fff; --line: #e4e1d7; --ink: #15211c; --soft: #5f6b65 }
@media (prefers-color-scheme: dark) {
	:root { --bg: #0d1311; --card: #141c19; --line: #26332d; --ink: #e9efeb; --soft: #94a29b }
}
body { margin: 0 auto; padding: 40px 20px; max-width: 720px; background: var(--bg); color: var(--ink);
	font: 16px/1.5 -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif }
h1 { font-size: 1.5rem; margin: 0 }
h2 { font-size: 1rem; margin: 32px 0 8px }
p { margin: 4px 0 0; color: var(--soft) }
article { margin-top: 8px; padding: 12px 16px; background: var(--card); border: 1px solid var(--line);
	border-radius: 12px; white-space: pre-line; overflow-wrap: anywhere }
time { float: right; margin-left: 16px; color: var(--soft); font-size: .85rem }
`;

function page(posted: readonly Posted[]): string {
	const channels = [...new Set(posted.map(({ channel }) => channel))].sort();
	const sections = channels.map((channel) => {
		const messages = posted.filter((each) => each.channel === channel).reverse();
		return `<section><h2>${escape(channel)}</h2>${messages.map(message).join('')}</section>`;
	});
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<link rel="icon" href="data:,">
<title>Messages to Slack</title>
<style>${STYLE}</style>
<h1>Messages to Slack</h1>
<p>A stand-in on this machine. Nothing goes to the real Slack.</p>
${sections.join('') || '<h2>Nothing yet</h2><p>Pay a link whose payments are reported to “Status alerts to Slack”.</p>'}
</html>`;
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

const escape = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
