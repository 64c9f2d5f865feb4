import { readFile } from 'node:fs/promises';

import { FIVE_ORDERS } from '../messages/page.mts';
import type { Messages } from '../messages/index.mts';
import { call } from '../shared/http.mts';
import { until } from '../shared/until.mts';
import { submitForm } from './form.mts';
import type { FormPage } from './form.mts';
import { FORM_LOGIN } from './index.mts';
import type { Demo } from './index.mts';

const APPROVER = 'approver@example.com';

/** What somebody uploads, and chooses on the first page. */
export interface Sheet {
	name: string;
	content: Buffer;
	sendBy?: 'E-mail' | 'SMS' | 'WhatsApp';
	sendAgain?: boolean;
}

/** Uploads a sheet; gives the page that says what was found. */
export async function uploadSheet(
	formUrl: string,
	{ name, content, sendBy = 'E-mail', sendAgain = false }: Sheet,
): Promise<FormPage> {
	const before = sendAgain ? 'Send them again' : 'Leave alone';
	const next = await submitForm(formUrl, {
		login: FORM_LOGIN,
		fields: [{ name, content }, sendBy, before],
	});
	return await next.page();
}

/** Asks for approval on that page, has it given or refused, and gives the last page. */
export async function askAndAnswer(
	found: FormPage,
	messages: Messages,
	decision: 'Send them' | 'Do not send' = 'Send them',
	/** Called with the address of the page where the answer is chosen. */
	look: (address: string) => Promise<void> = async () => {},
): Promise<FormPage> {
	const before = messages.to(APPROVER).length;
	const last = await found.answer('Ask for approval');
	const question = (await messages.arrived(APPROVER, before + 1)).at(-1)!;
	const address = /href="([^"]+)"/.exec(question)?.[1]?.replaceAll('&amp;', '&') ?? '';
	await look(address);
	await until('the answer to be taken', async () => {
		if ((await call(address)).status !== 200) return undefined;
		const body = new FormData();
		body.append('field-0', decision);
		return (await call(address, { method: 'POST', body })).status === 200 ? true : undefined;
	});
	return await last.page();
}

/** The sheet that the form offers, from the upload to the last page. */
export async function sendFiveOrders({ formUrl, messages, sandbox }: Demo) {
	if (messages === undefined) throw new Error('Nobody can approve without the stand-in for mail.');
	const content = await readFile(`examples/sheets/${FIVE_ORDERS}`);
	const found = await uploadSheet(formUrl, { name: FIVE_ORDERS, content });
	const corrections = Number(/To correct: (\d+)/.exec(found.text)?.[1] ?? 0);
	await askAndAnswer(found, messages);
	return { links: sandbox.state.links.length, corrections };
}
