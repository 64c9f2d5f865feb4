import { call } from '../../../../dev/host/shared/http.mts';

interface Message {
	result?: {
		tools?: Array<{ name: string }>;
		content?: Array<{ text?: string }>;
		isError?: boolean;
	};
	error?: { message: string };
}

/** An assistant that speaks the Model Context Protocol over HTTP, as far as our example needs it. */
export class Assistant {
	private session: string | undefined;
	private count = 0;

	constructor(
		private readonly url: string,
		private readonly token: string,
	) {}

	/** The HTTP status of the first message; 200 when it was let in. */
	async connect(): Promise<number> {
		const { status, headers } = await this.post('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'assistant', version: '1' },
		});
		this.session = headers['mcp-session-id'] as string | undefined;
		return status;
	}

	async tools(): Promise<string[]> {
		const { result } = await this.ask('tools/list', {});
		return (result?.tools ?? []).map(({ name }) => name);
	}

	/** What a tool says. */
	async use(name: string, given: Record<string, string> = {}): Promise<string> {
		const { result, error } = await this.ask('tools/call', { name, arguments: given });
		if (error) throw new Error(error.message);
		return (result?.content ?? []).map(({ text }) => text ?? '').join('\n');
	}

	private async ask(method: string, params: object): Promise<Message> {
		const reply = await this.post(method, params);
		const text = reply.text.startsWith('{') ? reply.text : /^data: (.*)$/m.exec(reply.text)?.[1];
		if (text === undefined) throw new Error(`${method}: ${reply.status} ${reply.text}`);
		return JSON.parse(text) as Message;
	}

	private async post(method: string, params: object) {
		return await call(this.url, {
			method: 'POST',
			headers: {
				Accept: 'application/json, text/event-stream',
				Authorization: `Bearer ${this.token}`,
				...(this.session && { 'mcp-session-id': this.session }),
			},
			body: { jsonrpc: '2.0', id: ++this.count, method, params },
		});
	}
}
