import type { Browser } from 'playwright-core';

import { call } from '../../host/shared/http.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import {
	collect,
	createLink,
	first,
	post,
	type CreatedLink,
} from '../../../test/e2e/sandbox/client.mts';
import { eventually, type Shop } from '../../../test/e2e/sandbox/shop.mts';

/** The screenshots always show the same time. */
export const START = Date.UTC(2026, 2, 12, 6, 38, 4);

/** Links that are still open at the end, each for a screenshot. */
export interface OpenLinks {
	kenya: CreatedLink;
	ivoryCoast: CreatedLink;
	toPay: CreatedLink;
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

/** A coffee bean as a PNG, as a shop sends its logo. */
export async function logo(browser: Browser): Promise<string> {
	const page = await browser.newPage({ viewport: { width: 160, height: 160 } });
	await page.setContent(`<style>body{margin:0}</style>
		<svg width="160" height="160" viewBox="0 0 160 160">
			<rect width="160" height="160" fill="#fff"/>
			<g transform="rotate(32 80 80)">
				<ellipse cx="80" cy="80" rx="46" ry="66" fill="#6b3a1e"/>
				<path d="M84 12c-22 34 18 64-8 136" fill="none" stroke="#fff" stroke-width="9"/>
			</g>
		</svg>`);
	const png = await page.screenshot({ type: 'png' });
	await page.close();
	return png.toString('base64');
}

/** Realistic data: shops create links, customers pay, and one client sends a wrong sender. */
export async function createSampleData(
	sandbox: Sandbox,
	shop: Shop,
	clock: { now: number },
	logoImage: string,
): Promise<OpenLinks> {
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
		await call(`${sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			body: { outcome, method },
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
	const kenya = await create({ ...COFFEE, logo: logoImage }, 22);
	const toPay = await create(COFFEE, 4);
	const toFail = await create(WEAVER, 5);
	await finish(await create(SOLAR, 33), 'success', 'Mobile operator 1');
	// As if the shop was restarting: it refuses the callback twice before it accepts it.
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
	await call(`${sandbox.url}/api/integration/get-token`, {
		method: 'POST',
		body: { client_id: clientId, secret_key: secretKey },
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
	return { kenya, ivoryCoast, toPay, toFail };
}
