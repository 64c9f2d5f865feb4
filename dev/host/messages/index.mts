import { appendFileSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { withEnds } from '../shared/ends.mts';
import { until } from '../shared/until.mts';
import { startApis } from './apis.mts';
import { startMail } from './mail.mts';
import { startMessagesPage } from './page.mts';

export interface Message {
	/** `amina@example.com`, `#payments`, `SMS +254712345678`, `WhatsApp +254712345678`. */
	to: string;
	/** Of an e-mail. */
	subject?: string;
	text: string;
	at: Date;
}

/** A credential of n8n that reaches a stand-in. */
export interface StandInCredential {
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

export interface Messages {
	/** The page that shows everything. */
	url: string;
	/** With these settings an n8n reaches the stand-ins. */
	env: Record<string, string>;
	credentials: StandInCredential[];
	/** Everything that arrived, oldest first. */
	all: Message[];
	/** The texts that somebody or some channel got. */
	to: (address: string) => string[];
	/** Waits until an address has at least that many. */
	arrived: (address: string, count?: number) => Promise<string[]>;
	stop: () => Promise<void>;
}

interface MessagesOptions {
	/** The port of the page; by default a free one. */
	port?: number;
	/** Where messages are kept for the next start. */
	file?: string;
}

/** Stand-ins for everybody whom the examples write to: mail, Slack, SMS and WhatsApp. */
export async function startMessages({ port = 0, file }: MessagesOptions = {}): Promise<Messages> {
	const all = file === undefined ? [] : await readKept(file);
	const keep = (message: Omit<Message, 'at'>) => {
		const kept = { ...message, at: new Date() };
		all.push(kept);
		if (file === undefined) return;
		mkdirSync(dirname(file), { recursive: true });
		appendFileSync(file, `${JSON.stringify(kept)}\n`);
	};
	const to = (address: string) => all.filter((each) => each.to === address).map(({ text }) => text);
	return await withEnds(async (ends) => {
		const page = await startMessagesPage(port, () => all);
		ends.push(page.close);
		const mail = await startMail(keep);
		ends.push(mail.close);
		const apis = await startApis(keep);
		ends.push(apis.close);
		return {
			url: page.url,
			env: apis.env,
			credentials: credentialsFor(mail.port),
			all,
			to,
			arrived: async (address, count = 1) =>
				await until(`${count} messages to ${address}`, async () =>
					to(address).length >= count ? to(address) : undefined,
				),
		};
	});
}

const credentialsFor = (port: number): StandInCredential[] => [
	{
		name: 'Mail stand-in',
		type: 'smtp',
		data: { host: '127.0.0.1', port, secure: false, disableStartTls: true, user: '', password: '' },
	},
	{ name: 'Slack stand-in', type: 'slackApi', data: { accessToken: 'xoxb-stand-in' } },
	{
		name: 'SMS stand-in',
		type: 'twilioApi',
		data: { authType: 'authToken', accountSid: 'AC-stand-in', authToken: 'stand-in' },
	},
	{
		name: 'WhatsApp stand-in',
		type: 'whatsAppApi',
		data: { accessToken: 'stand-in', businessAccountId: 'stand-in' },
	},
];

/** One message on each line. */
async function readKept(file: string): Promise<Message[]> {
	const kept = await readFile(file, 'utf8').catch(() => '');
	return kept
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => {
			const message = JSON.parse(line) as Message;
			return { ...message, at: new Date(message.at) };
		});
}
