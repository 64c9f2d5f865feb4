import { escape, startPage } from '../shared/page.mts';
import type { Page } from '../shared/page.mts';

interface Shown {
	to: string;
	subject: string;
	text: string;
	files: ReadonlyArray<{ name: string }>;
	at: Date;
}

/** A page that shows the e-mails, newest first, and reloads itself. */
export const startInbox = async (port: number, mails: () => readonly Shown[]) =>
	await startPage(port, () => page(mails()));

const page = (mails: readonly Shown[]): Page => ({
	title: 'E-mails',
	about: 'A stand-in on this machine. No e-mail leaves it.',
	body:
		[...mails].reverse().map(article).join('') ||
		'<h2>Nothing yet</h2><p>E-mails appear here when n8n has sent them.</p>',
});

const article = ({ to, subject, text, files, at }: Shown) =>
	`<article><time>${at.toTimeString().slice(0, 8)}</time><b>${escape(subject)}</b>
<span>to ${escape(to)}</span>

${linked(text.trim())}${files.map(({ name }) => `\n\nAttached: ${escape(name)}`).join('')}</article>`;

/** The text of an e-mail, whose addresses can be followed; of an HTML one, what it says. */
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
