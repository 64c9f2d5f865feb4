import { call } from '../shared/http.mts';
import { until } from '../shared/until.mts';

/** A page of a form of n8n, as somebody sees it who fills it in. */
export interface FormPage {
	/** What it says. */
	text: string;
	/** The files that it hands out. */
	files: Array<{ name: string; content: Buffer }>;
	/** Fills in its fields, from top to bottom, and gives the next page when there is one. */
	answer: (...fields: string[]) => Promise<Next>;
}

/** What comes after it; it may take until somebody else has answered. */
export interface Next {
	page: () => Promise<FormPage>;
}

interface FirstPage {
	login?: { user: string; password: string };
	fields: ReadonlyArray<string | { name: string; content: Buffer }>;
}

/** Fills in the first page of a form, without a browser. */
export async function submitForm(url: string, { login, fields }: FirstPage): Promise<Next> {
	const body = new FormData();
	for (const [index, field] of fields.entries()) {
		const name = `field-${index}`;
		if (typeof field === 'string') body.append(name, field);
		else body.append(name, new Blob([new Uint8Array(field.content)]), field.name);
	}
	const credentials = login && btoa(`${login.user}:${login.password}`);
	const headers = credentials ? { Authorization: `Basic ${credentials}` } : undefined;
	const { status, text } = await call(url, { method: 'POST', body, headers });
	if (status !== 200) throw new Error(`The form answers ${status}: ${text}`);
	const { formWaitingUrl } = JSON.parse(text) as { formWaitingUrl: string };
	return { page: async () => await pageAt(formWaitingUrl) };
}

/** The page that a form shows next, as soon as there is one. */
async function pageAt(url: string): Promise<FormPage> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	await until('the next page of the form', async () => {
		const { text } = await call(status.href);
		if (['error', 'crashed', 'success'].includes(text)) throw new Error(`The form ended: ${text}`);
		return text === 'form-waiting' ? true : undefined;
	});
	const { text: html } = await call(url);
	const names = new Set(
		[...html.matchAll(/<(?:select|textarea)[^>]*\sname=['"](field-\d+)['"]/g)].map(
			([, name]) => name!,
		),
	);
	// The last page has nothing to fill in; a browser ends the execution by itself.
	if (names.size === 0) await call(url, { method: 'POST', body: new FormData() });
	return {
		text: words(html),
		files: filesIn(html),
		answer: async (...fields) => {
			const body = new FormData();
			for (const [index, name] of [...names].entries()) body.append(name, fields[index] ?? '');
			await call(url, { method: 'POST', body });
			return { page: async () => await pageAt(url) };
		},
	};
}

const words = (html: string) =>
	html
		.replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex: string | undefined, code: string) =>
			String.fromCharCode(hex ? parseInt(hex, 16) : Number(code)),
		)
		.replace(/&amp;/g, '&')
		.replace(/\s+/g, ' ');

/** n8n puts them into the page, for the browser to save. */
function filesIn(html: string): FormPage['files'] {
	const found = /%5B%7B%22data%22[^"]*/.exec(html)?.[0];
	if (found === undefined) return [];
	const files = JSON.parse(decodeURIComponent(found)) as Array<{
		fileName: string;
		data: string | { type: 'Buffer'; data: number[] };
	}>;
	return files.map(({ fileName, data }) => ({
		name: fileName,
		content: typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data),
	}));
}
