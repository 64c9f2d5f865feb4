import { existsSync } from 'node:fs';
import {
	chromium,
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	type Page,
} from 'playwright-core';

const USUAL_PATHS = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
	'/snap/bin/chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Quiet: a browser that looks for updates would spoil "nothing is loaded from elsewhere". */
const ARGUMENTS = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

function findChromium(): string {
	const wanted = process.env.CHROMIUM_PATH;
	if (wanted && !existsSync(wanted))
		throw new Error(`CHROMIUM_PATH names ${wanted}, but there is no such file.`);
	const found = wanted || USUAL_PATHS.find((path) => existsSync(path));
	if (!found)
		throw new Error(
			'These tests need Chromium. Install it (Debian and Ubuntu: apt-get install chromium; macOS: brew install --cask chromium) or set CHROMIUM_PATH to the path of a Chromium or Chrome.',
		);
	return found;
}

export function launchBrowser(): Promise<Browser> {
	// Chromium refuses to run as root with its own sandbox, which is how containers run.
	const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	return chromium.launch({ executablePath: findChromium(), args: [...asRoot, ...ARGUMENTS] });
}

export interface OpenPage {
	page: Page;
	context: BrowserContext;
	/** Errors of the page and of its console, in words. */
	problems: string[];
	/** Origins of everything it loaded. */
	origins: Set<string>;
}

/** A page in a context of its own that keeps what went wrong and what was loaded. */
export async function openPage(
	browser: Browser,
	url: string,
	options: BrowserContextOptions = {},
): Promise<OpenPage> {
	const context = await browser.newContext({
		viewport: { width: 1280, height: 900 },
		locale: 'en-GB',
		reducedMotion: 'reduce',
		...options,
	});
	context.setDefaultTimeout(20_000);
	const page = await context.newPage();
	const problems: string[] = [];
	const origins = new Set<string>();
	page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
	page.on('console', (message) => {
		if (['error', 'warning'].includes(message.type()))
			problems.push(`console ${message.type()}: ${message.text()}`);
	});
	page.on('request', (request) => {
		const { origin, protocol } = new URL(request.url());
		if (protocol !== 'data:') origins.add(origin);
	});
	await page.goto(url);
	return { page, context, problems, origins };
}

export const PHONE: BrowserContextOptions = {
	viewport: { width: 390, height: 844 },
	isMobile: true,
	hasTouch: true,
};
