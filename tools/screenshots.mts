/**
 * Takes the pictures of the README and the docs: `npm run screenshots`, or some of them with
 * `npm run screenshots -- dashboard payment-page`. A scene is one function: it gets a studio, opens
 * what it wants to show and names the file. Add yours to SCENES.
 */
import { mkdir, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startDemo } from '../host/demo.mts';
import { takeExamplePictures } from '../host/editor/examplePictures.mts';
import { takeEditorPictures } from '../host/editor/pictures.mts';
import { buildIfStale, isInstalled } from '../host/index.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.mts';
import { launchBrowser, PHONE } from '../test/helpers/browser.mts';
import { collect, createLink, first, post, type CreatedLink } from '../test/e2e/sandbox/client.mts';
import { eventually, openShop, type Shop } from '../test/e2e/sandbox/shop.mts';

const FOLDER = resolve(process.cwd(), 'docs', 'images');
const MOST_KILOBYTES = 250;

/** The pictures always show the same morning. */
const START = Date.UTC(2026, 2, 12, 6, 38, 4);

interface Studio {
	browser: Browser;
	sandbox: Sandbox;
	demo: Demo;
	open(url: string, options?: BrowserContextOptions): Promise<Page>;
	/** Saves docs/images/<name>.png and closes the page. */
	shoot(page: Page, name: string): Promise<void>;
}

type Scene = (studio: Studio) => Promise<void>;

const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const SMALL: BrowserContextOptions = { ...PHONE, deviceScaleFactor: 2 };

// ── Scenes ──────────────────────────────────────────────────────────────────────────────────

const SCENES: Record<string, Scene> = {
	async dashboard({ open, shoot, sandbox }) {
		for (const colorScheme of ['light', 'dark'] as const) {
			const page = await open(`${sandbox.url}/#requests`, { ...DESKTOP, colorScheme });
			await page.locator('.rows button').first().waitFor();
			await shoot(page, colorScheme === 'light' ? 'dashboard' : 'dashboard-dark');
		}
		const page = await open(`${sandbox.url}/#transactions`, SMALL);
		await page.locator('.rows button').first().waitFor();
		await shoot(page, 'dashboard-phone');
	},

	async signature({ open, shoot, sandbox }) {
		for (const [name, options] of [
			['signature', { ...DESKTOP, viewport: { width: 1280, height: 1000 } }],
			['signature-phone', SMALL],
		] as const) {
			const page = await open(`${sandbox.url}/#requests`, options);
			await page.locator('.rows button', { hasText: 'Refused' }).first().click();
			await page.locator('#detail mark').first().waitFor();
			await shoot(page, name);
		}
	},

	async callbacks({ open, shoot, sandbox }) {
		const page = await open(`${sandbox.url}/#callbacks`, DESKTOP);
		await page.locator('.rows button', { hasText: '3 attempts' }).click();
		await page.locator('#detail .step').first().waitFor();
		await shoot(page, 'callbacks');
	},

	async 'quick-start'({ open, shoot, sandbox }) {
		const page = await open(`${sandbox.url}/#start`, {
			...DESKTOP,
			viewport: { width: 1280, height: 1000 },
		});
		await page.locator('.magic li').first().waitFor();
		await shoot(page, 'quick-start');
	},

	async 'payment-page'({ open, shoot, demo }) {
		for (const [name, options, link] of [
			['payment-page', { ...DESKTOP, viewport: { width: 1280, height: 840 } }, demo.kenya],
			['payment-page-phone', { ...SMALL, viewport: { width: 390, height: 1030 } }, demo.kenya],
			['payment-page-phone-dark', { ...SMALL, colorScheme: 'dark' }, demo.ivoryCoast],
		] as const) {
			const page = await open(link.link, options);
			await page.getByRole('button', { name: /^Pay/ }).waitFor();
			await shoot(page, name);
		}
	},

	async 'payment-result'({ open, shoot, demo }) {
		for (const [name, options, link, button] of [
			['payment-received', DESKTOP, demo.toPay, /^Pay/],
			['payment-received-phone', SMALL, demo.toPayOnPhone, /^Pay/],
			['payment-failed-phone', SMALL, demo.toFail, 'Let it fail'],
		] as const) {
			const page = await open(link.link, options);
			await page.getByRole('button', { name: button }).click();
			await page.getByText(/Returning to/).waitFor();
			await shoot(page, name);
		}
	},

	async editor({ browser }) {
		await inN8n(async (demo) => await takeEditorPictures({ browser, demo, folder: FOLDER }));
	},

	async examples({ browser }) {
		await inN8n(async (demo) => await takeExamplePictures({ browser, demo, folder: FOLDER }));
	},
};

/** Takes pictures in an n8n of its own, with a sandbox of its own. */
async function inN8n(take: (demo: Awaited<ReturnType<typeof startDemo>>) => Promise<string[]>) {
	await buildIfStale();
	const demo = await startDemo({ report: console.log });
	try {
		for (const file of await take(demo)) await weigh(file);
	} finally {
		await demo.stop();
	}
}

/** Taken when no scene is named: all, but n8n is not installed for its pictures alone. */
const usual = () =>
	Object.keys(SCENES).filter((name) => !['editor', 'examples'].includes(name) || isInstalled());

// ── Demonstration data ──────────────────────────────────────────────────────────────────────

interface Demo {
	kenya: CreatedLink;
	ivoryCoast: CreatedLink;
	toPay: CreatedLink;
	toPayOnPhone: CreatedLink;
	toFail: CreatedLink;
}

const COFFEE = {
	business_name: 'Savanna Coffee',
	item_name: 'Arabica beans, 2 kg',
	currency: 'KES',
	amount: '2450',
	country_id: 1,
	first_name: 'Amina',
	last_name: 'Otieno',
	email: 'amina.otieno@example.com',
	phone: '254712345678',
};

const WEAVER = {
	business_name: 'Atelier Baoulé',
	item_name: 'Pagne tissé main',
	currency: 'XOF',
	amount: '18500',
	country_id: 3,
	first_name: 'Aya',
	last_name: 'Kouassi',
	email: 'aya.kouassi@example.com',
	phone: '2250707123456',
};

const CYCLES = {
	business_name: 'Lake Cycles',
	item_name: 'Gear service',
	currency: 'UGX',
	amount: '85000',
	country_id: 11,
	first_name: 'Moses',
	last_name: 'Okello',
	email: 'moses.okello@example.com',
	phone: '256772123456',
};

const SOLAR = {
	business_name: 'Zambezi Solar',
	item_name: 'Lantern, instalment 3 of 6',
	currency: 'ZMW',
	amount: '145.50',
	country_id: 12,
	first_name: 'Thandiwe',
	last_name: 'Banda',
	email: 'thandiwe@example.com',
	phone: '260971234567',
};

/** A coffee bean, drawn here and turned into the PNG that a shop would send as its logo. */
async function logo(browser: Browser): Promise<string> {
	const page = await browser.newPage({ viewport: { width: 160, height: 160 } });
	await page.setContent(`<style>body{margin:0}</style>
		<svg width="160" height="160" viewBox="0 0 160 160">
			<rect width="160" height="160" fill="#fff"/>
			<g transform="rotate(32 80 80)">
				<ellipse cx="80" cy="80" rx="46" ry="66" fill="#6b3a1e"/>
				<path d="M84 12c-22 34 18 64-8 136" fill="none" stroke="#fff" stroke-width="9"/>
			</g>
		</svg>`);
	const picture = await page.screenshot({ type: 'png' });
	await page.close();
	return picture.toString('base64');
}

/** A believable morning: shops create links, customers pay, one client has its sender wrong. */
async function playMorning(
	sandbox: Sandbox,
	shop: Shop,
	clock: { now: number },
	picture: string,
): Promise<Demo> {
	const later = (seconds: number) => {
		clock.now += seconds * 1000;
		return { timestamp: Math.floor(clock.now / 1000) };
	};
	const urls = { callback_url: shop.callbackUrl, redirection_url: shop.thanksUrl };
	const create = (params: object, seconds: number) =>
		createLink(sandbox, { ...params, ...urls }, later(seconds));
	const finish = async (
		{ reference }: CreatedLink,
		outcome: 'success' | 'failed' | 'cancelled',
		method: string,
	) => {
		later(27);
		await fetch(`${sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ outcome, method }),
		});
		await delivered(reference);
	};
	const delivered = (reference: string) =>
		eventually(`the callback of ${reference}`, () =>
			sandbox.state.callbacks.some(
				(callback) => callback.reference === reference && callback.status !== 'pending',
			),
		);
	const deposit = async (params: object, end: 'success' | 'failed' | null) => {
		await collect(sandbox, { ...params, callback_url: shop.callbackUrl }, later(19));
		const reference = sandbox.state.transactions[0]?.ref ?? '';
		if (end === null) return reference;
		later(8);
		sandbox.settle(
			reference,
			end === 'success' ? end : { status: end, failureCode: 'INSUFFICIENT_FUNDS' },
		);
		await delivered(reference);
		return reference;
	};
	const statusOf = (id: string, type = 'payin') =>
		post(sandbox, '/api/v3/get-unified-transaction-status', { id, type }, later(6));

	await finish(await create(WEAVER, 0), 'success', 'Mobile operator 1');
	await finish(await create(CYCLES, 64), 'cancelled', 'Mobile operator 2');
	await finish(
		await create({ ...COFFEE, item_name: 'Grinder', amount: '7900' }, 41),
		'success',
		'Pay bill',
	);
	const kenya = await create({ ...COFFEE, logo: picture }, 22);
	const toPay = await create({ ...COFFEE, logo: picture }, 9);
	const toPayOnPhone = await create(COFFEE, 4);
	const toFail = await create(WEAVER, 5);
	await finish(await create(SOLAR, 33), 'success', 'Mobile operator 1');
	// The shop was being restarted: two refusals, then it took the callback.
	shop.answerNext.push(502, 503);
	const paid = await deposit(
		{ amount: 1200, mobile: '254722000111', third_party_reference_1: 'order-1041' },
		'success',
	);
	await statusOf(paid);
	const boda = { mobile: '256701998877', country_id: 11, currency: 'UGX' };
	await deposit(
		{
			...boda,
			amount: 45000,
			payment_method_type: 'mobile operator',
			third_party_reference_1: 'order-1042',
		},
		'failed',
	);
	const wallet = { wallet_account: 1001, currency: 'KES' };
	await post(sandbox, '/api/v3/get-unified-balance', wallet, later(12));
	const { clientId, secretKey, title } = first(sandbox);
	later(4);
	await fetch(`${sandbox.url}/api/integration/get-token`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ client_id: clientId, secret_key: secretKey }),
	});
	const ivoryCoast = await create(WEAVER, 21);
	await post(
		sandbox,
		'/api/v3/service-unified-collections',
		{ amount: 640, mobile: '254733555777', country_id: 1, currency: 'KES' },
		{ ...later(15), title: title.toLowerCase().replace(' ', '-') },
	);
	const waiting = await deposit(
		{ amount: 640, mobile: '254733555777', third_party_reference_1: 'order-1043' },
		null,
	);
	await statusOf(waiting);
	later(7);
	return { kenya, ivoryCoast, toPay, toPayOnPhone, toFail };
}

// ── The studio ──────────────────────────────────────────────────────────────────────────────

async function takePictures(names: readonly string[]): Promise<void> {
	const unknown = names.filter((name) => !(name in SCENES));
	if (unknown.length > 0)
		throw new Error(
			`No scene is called ${unknown.join(', ')}; there are ${Object.keys(SCENES).join(', ')}.`,
		);
	await mkdir(FOLDER, { recursive: true });
	const clock = { now: START };
	const shop = await openShop();
	const sandbox = await startSandbox({
		mode: 'rich',
		errorStatus: 'http',
		settleDelayMs: Infinity,
		callbackRetry: { firstDelayMs: 5, factor: 1 },
		// Time passes a little with every look at it, so that nothing took no time.
		clock: () => (clock.now += 9),
	});
	const browser = await launchBrowser();
	try {
		const demo = await playMorning(sandbox, shop, clock, await logo(browser));
		const studio: Studio = {
			browser,
			sandbox,
			demo,
			async open(url, options = DESKTOP) {
				const context = await browser.newContext({
					locale: 'en-GB',
					timezoneId: 'Africa/Nairobi',
					reducedMotion: 'reduce',
					...options,
				});
				const page = await context.newPage();
				await page.clock.setFixedTime(clock.now);
				await page.goto(url);
				return page;
			},
			async shoot(page, name) {
				const path = resolve(FOLDER, `${name}.png`);
				await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
				await page.context().close();
				await weigh(path);
			},
		};
		const wanted = names.length === 0 ? usual() : names;
		for (const [name, scene] of Object.entries(SCENES))
			if (wanted.includes(name)) await scene(studio);
	} finally {
		await browser.close();
		await sandbox.close();
		await shop.close();
	}
}

/** Says how large a picture is, and refuses one that would make a page slow. */
async function weigh(path: string): Promise<void> {
	const name = basename(path);
	const kilobytes = Math.ceil((await stat(path)).size / 1024);
	console.log(`docs/images/${name}  ${kilobytes} kB`);
	if (kilobytes > MOST_KILOBYTES)
		throw new Error(`${name} is larger than ${MOST_KILOBYTES} kB: show less, or smaller.`);
}

await takePictures(process.argv.slice(2));
