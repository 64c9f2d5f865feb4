import type { Execution, NewWorkflow } from '../../../dev/host/n8n/index.mts';
import { readExample } from '../../../dev/host/demo/examples.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { startModel } from './standins/model.mts';
import type { Model, Prompt, Turn } from './standins/model.mts';
import { seenDuring, useDemo } from './support.mts';

const demo = useDemo();

const AGENT = 'ai-agent-with-payments.json';
const COLLECT = 'Collect 250 from 0712 345678 in Kenya for order A-7';

/** A model that reads when asked to, wants to collect when asked to, and tells what it was told. */
function think({ messages, tools }: Prompt): Turn {
	const last = messages.at(-1)!;
	if (last.role === 'tool') return { say: `I was told: ${last.content}` };
	const tool = (word: RegExp) => tools.find(({ name }) => word.test(name))!.name;
	if (/hold/.test(last.content ?? '')) return { call: tool(/balance/i), with: { currency: 'KES' } };
	const [reference] = /CO-\S+/.exec(last.content ?? '') ?? [];
	if (reference) return { call: tool(/look/i), with: { reference } };
	const toolParameters = { country: 'Kenya', amount: '250', mobile: '0712 345678', order: 'A-7' };
	return { call: tool(/collect/i), with: { toolParameters, hitlParameters: {} } };
}

let model: Model;
beforeAll(async () => (model = await startModel(think)));
afterAll(async () => await model?.close());

/** Says something in the chat, and waits for the answer or the question. */
async function say(chatInput: string): Promise<Execution> {
	const { client } = demo().host;
	const secret = { apiKey: 'none', url: model.url, header: false };
	const credential = await client.createCredential('Model', 'openAiApi', secret);
	const example: NewWorkflow = await readExample(AGENT, [demo().credential, credential]);
	const message = { action: 'sendMessage', sessionId: 'session', chatInput };
	const workflow = await client.createWorkflow({
		...example,
		pinData: { Chat: [{ json: message }] },
	});
	return await client.run(workflow, 'Chat');
}

interface Card {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

/** The card that asks the person. */
function cardOf(execution: Execution): Card {
	const [task] = execution.tasks('Ask a person first');
	const item = task?.data?.ai_tool?.[0]?.[0] as { sendMessage?: Card } | undefined;
	if (item?.sendMessage === undefined) throw new Error('Nobody was asked.');
	return item.sendMessage;
}

/** Presses a button of the card, and waits for the agent's last words. */
async function press(execution: Execution, button: string): Promise<Execution> {
	const { link } = cardOf(execution).buttons.find(({ text }) => text === button)!;
	// The host does not take a robot's word for a person's.
	const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0' };
	expect((await call(link, { headers })).status).toBe(200);
	return await until('the answer', async () => {
		const now = await demo().host.client.finished(execution.id);
		return now.tasks('Answer').length > 0 || now.failure ? now : undefined;
	});
}

/** What appears in the chat. */
const answerOf = (execution: Execution) =>
	(execution.outputs('Answer')[0] as unknown as { sendMessage: string } | undefined)?.sendMessage;

const COLLECTION = '/api/v3/service-unified-collections';

// Human review of tools came after the first releases of n8n 2.
const newest = isAtLeast(N8N_VERSION) ? describe : describe.skip;

newest('AI agent with payments', () => {
	test('it reads balances by itself, and answers', async () => {
		const execution = await say('What do we hold in KES?');

		expect(execution.failure).toBeUndefined();
		expect(execution.tasks('Get balances')).toHaveLength(1);
		expect(execution.tasks('Ask a person first')).toEqual([]);
		expect(answerOf(execution)).toMatch(/"currency":"KES","balance":\d+/);
	});

	test('it asks before it collects; nothing is sent until the person has agreed', async () => {
		let asked: Execution;
		const before = await seenDuring(demo(), async () => (asked = await say(COLLECT)));
		expect(before.map(({ path }) => path)).not.toContain(COLLECTION);
		expect(asked!.status).toBe('waiting');
		const { text, buttons } = cardOf(asked!);
		expect(text).toContain('Amount: **250**');
		expect(text).toContain('From: **0712 345678**, Kenya');
		expect(buttons.map((button) => button.text)).toEqual(['Collect', 'Do not collect']);

		let answered: Execution;
		const after = await seenDuring(demo(), async () => (answered = await press(asked, 'Collect')));
		expect(after.filter(({ path }) => path === COLLECTION)).toHaveLength(1);
		expect(demo().sandbox.state.transactions[0]).toMatchObject({
			amount: 250,
			mobile: '254712345678',
			third_party_reference_1: 'A-7',
		});
		expect(answerOf(answered!)).toContain('"outcome":"accepted"');

		const { ref } = demo().sandbox.state.transactions[0]!;
		expect(answerOf(await say(`What became of ${ref}`))).toContain(ref);
	});

	test('when the person declines, nothing is sent, and the agent is told so', async () => {
		const asked = await say(COLLECT);
		let answered: Execution;
		const seen = await seenDuring(
			demo(),
			async () => (answered = await press(asked, 'Do not collect')),
		);

		expect(seen.map(({ path }) => path)).not.toContain(COLLECTION);
		expect(answered!.tasks('Collect payment')).toEqual([]);
		expect(answerOf(answered!)).toContain('rejected the tool call');
	});

	test('the model is offered the collection only through the person', () => {
		const { tools } = model.prompts[0]!;

		expect(tools.map(({ name }) => name).sort()).toEqual([
			'Collect_payment',
			'Get_balances',
			'Look_up_transaction',
		]);
		const { parameters } = tools.find(({ name }) => name === 'Collect_payment')!;
		expect(Object.keys(parameters.properties as object)).toEqual([
			'toolParameters',
			'hitlParameters',
		]);
	});
});
