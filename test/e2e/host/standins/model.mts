import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { close, listen } from '../../../../dev/host/shared/listen.mts';

export interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string | null;
	tool_calls?: Array<{ function: { name: string; arguments: string } }>;
}

/** What the caller lets the model do. */
export interface Tool {
	name: string;
	description: string;
	parameters: Record<string, unknown>;
}

export interface Prompt {
	messages: Message[];
	tools: Tool[];
}

/** What a model does next: it says something, or calls a tool. */
export type Turn = { say: string } | { call: string; with: Record<string, unknown> };

export interface Model {
	/** The credential's 'Base URL'. */
	url: string;
	/** Every prompt so far. */
	prompts: Prompt[];
	close: () => Promise<void>;
}

interface ChatRequest {
	model: string;
	messages: Message[];
	tools?: Array<{ function: Tool }>;
}

/** A language model that does what it is told, and speaks OpenAI's API (chat completions). */
export async function startModel(think: (prompt: Prompt) => Turn): Promise<Model> {
	const prompts: Prompt[] = [];
	const server = createServer((request, response) => {
		void text(request).then((content) => {
			response.setHeader('Content-Type', 'application/json');
			if (!request.url?.endsWith('/chat/completions')) {
				response.statusCode = 404;
				return response.end(JSON.stringify({ error: { message: `No ${request.url}` } }));
			}
			const { model, messages, tools = [] } = JSON.parse(content) as ChatRequest;
			const prompt = { messages, tools: tools.map((tool) => tool.function) };
			prompts.push(prompt);
			return response.end(JSON.stringify(completion(model, think(prompt), prompts.length)));
		});
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}/v1`,
		prompts,
		close: async () => await close(server),
	};
}

const completion = (model: string, turn: Turn, count: number) => ({
	id: `completion-${count}`,
	object: 'chat.completion',
	created: 1_700_000_000,
	model,
	choices: [
		{
			index: 0,
			finish_reason: 'say' in turn ? 'stop' : 'tool_calls',
			message:
				'say' in turn
					? { role: 'assistant', content: turn.say }
					: {
							role: 'assistant',
							content: null,
							tool_calls: [
								{
									id: `call-${count}`,
									type: 'function',
									function: { name: turn.call, arguments: JSON.stringify(turn.with) },
								},
							],
						},
		},
	],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
