import { createServer } from 'node:http';

import { close, listen } from './listen.mts';

/** What a stand-in shows; `body` is HTML. */
export interface Page {
	title: string;
	about: string;
	body: string;
}

/** A page in the browser that reloads itself; beside it, files to download by their names. */
export async function startPage(
	wanted: number,
	page: () => Page,
	files: Readonly<Record<string, Buffer>> = {},
): Promise<{ url: string; close: () => Promise<void> }> {
	const server = createServer(({ url = '' }, response) => {
		const file = files[url.slice(1)];
		if (file) return void response.setHeader('Content-Disposition', 'attachment').end(file);
		response.setHeader('Content-Type', 'text/html; charset=utf-8');
		response.setHeader('Cache-Control', 'no-store');
		response.end(written(page()));
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

const written = ({ title, about, body }: Page) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
<p>${about}</p>
${body}
</html>`;

export const escape = (text: string) =>
	text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
