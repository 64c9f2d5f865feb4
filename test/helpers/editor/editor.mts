import type { Browser, Locator, Page } from 'playwright-core';

import type { Login } from '../../../host/n8n/client.mts';

const testId = (id: string) => `[data-test-id="${id}"]`;

/** Resolves when the canvas was drawn in the same place several times running. */
const AT_REST = `new Promise((rest) => {
	const pane = document.querySelector('.vue-flow__transformationpane');
	let same = 0;
	let last;
	const look = () => {
		const { transform } = pane.style;
		same = transform === last ? same + 1 : 0;
		last = transform;
		if (same > 10) rest();
		else requestAnimationFrame(look);
	};
	look();
})`;

/** n8n's editor in a browser, in the words of someone who uses it. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Opens a window of its own and signs in. */
	static async signIn(browser: Browser, url: string, { email, password }: Login): Promise<Editor> {
		const context = await browser.newContext({
			viewport: { width: 1400, height: 900 },
			reducedMotion: 'reduce',
		});
		const page = await context.newPage();
		// The editor is several megabytes, and the machine may be busy.
		page.setDefaultTimeout(60_000);
		await page.goto(`${url}/signin`);
		await page.locator('input[type=email]').fill(email);
		await page.locator('input[type=password]').fill(password);
		await page.locator(testId('form-submit-button')).click();
		await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
		return new Editor(page, url);
	}

	async close(): Promise<void> {
		await this.page.context().close();
	}

	/** An empty canvas. */
	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.at('canvas-add-button').waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.at('canvas-node').first().waitFor();
	}

	async openNode(name: string): Promise<void> {
		await this.at('canvas-node').filter({ hasText: name }).first().dblclick();
		await this.panel.waitFor();
	}

	async closeNode(): Promise<void> {
		await this.at('ndv-close-button').click();
		await this.panel.waitFor({ state: 'hidden' });
	}

	/** The panel with the node's parameters. */
	get panel(): Locator {
		return this.at('node-parameters');
	}

	/** What a dropdown of the open node offers. */
	async choices(parameter: string): Promise<string[]> {
		await this.unfold(parameter);
		const names = await this.visible('parameter-input-item')
			.locator('.option-headline')
			.allInnerTexts();
		await this.page.keyboard.press('Escape');
		await this.folded();
		return names.map((name) => name.trim());
	}

	/** What a dropdown of the open node shows at the moment. */
	async chosen(parameter: string): Promise<string> {
		return await this.field(parameter).locator('input').first().inputValue();
	}

	async choose(parameter: string, choice: string): Promise<void> {
		await this.unfold(parameter);
		await this.visible('parameter-input-item').filter({ hasText: choice }).first().click();
		await this.folded();
	}

	async type(parameter: string, text: string): Promise<void> {
		await this.field(parameter).locator('input, textarea').first().fill(text);
	}

	/** Runs the open node and waits for its result. */
	async executeStep(): Promise<void> {
		await this.at('node-execute-button').click();
		await this.page.getByText('Node executed successfully').waitFor();
	}

	/** Runs the open workflow and waits for its end. */
	async executeWorkflow(): Promise<void> {
		await this.at('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').waitFor();
	}

	/** Shows the whole workflow in a window of this size, and waits until nothing moves any more. */
	async fit(width: number, height: number): Promise<void> {
		await this.page.setViewportSize({ width, height });
		await this.at('zoom-to-fit').click();
		await this.page.evaluate(AT_REST);
	}

	async openCredential(name: string): Promise<void> {
		await this.page.goto(`${this.url}/home/credentials`);
		await this.at('resources-list-item').filter({ hasText: name }).first().click();
		await this.dialog.waitFor();
	}

	/** Opens the dialog for a new credential of the open node. */
	async newCredential(): Promise<void> {
		await this.at('node-credentials-select').first().click();
		await this.visible('node-credentials-select-item-new').click();
		await this.dialog.waitFor();
	}

	/** Newer editors close it themselves once a credential that a node asked for has been tested. */
	async closeDialog(): Promise<void> {
		const close = this.dialog.locator('.el-dialog__headerbtn');
		await this.dialog
			.waitFor({ state: 'hidden', timeout: 5000 })
			.catch(async () => await close.click());
		await this.dialog.waitFor({ state: 'hidden' });
	}

	/** Waits until the output of the open node shows this. */
	async outputShows(words: string): Promise<void> {
		await this.at('output-panel').getByText(words).first().waitFor();
	}

	/** What the output of the open node shows. */
	async output(): Promise<string> {
		return await this.at('output-panel').innerText();
	}

	/** The dialog of a credential. */
	get dialog(): Locator {
		return this.at('editCredential-modal');
	}

	/** The nodes of a workflow and what lies between them. */
	get canvas(): Locator {
		return this.at('canvas-wrapper');
	}

	/** Types a secret into the open dialog, saves, and waits for the verdict of the test. */
	async saveSecret(secret: string, verdict: 'works' | 'fails'): Promise<string> {
		await this.field('secretKey').locator('input').fill(secret);
		// The verdict is drawn before the test has ended, and closing in between loses the secret.
		const tested = this.page.waitForResponse((answer) =>
			answer.url().endsWith('/credentials/test'),
		);
		await this.at('credential-save-button').click();
		if (verdict === 'works') {
			const success = this.at('credentials-config-container-test-success');
			const [words, answer] = await Promise.all([success.innerText(), tested]);
			const { data } = (await answer.json()) as { data: { status: string; message: string } };
			if (data.status !== 'OK')
				throw new Error(`The test of the credential failed: ${data.message}`);
			return words;
		}
		await tested;
		await this.dialog.getByText('More details').click();
		return await this.dialog.locator('.el-tag--danger').filter({ visible: true }).innerText();
	}

	/** The editor follows the system's theme. */
	async theme(colorScheme: 'light' | 'dark'): Promise<void> {
		await this.page.emulateMedia({ colorScheme });
		await this.page.evaluate(
			'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
		);
	}

	/** Finds a node in the panel that adds nodes and returns the actions it offers. */
	async findNode(name: string): Promise<string[]> {
		await this.at('node-creator-plus-button').click();
		await this.search(name);
		const names = this.visible('node-creator-item-name');
		await names.filter({ hasText: name }).first().click();
		await this.page.getByText('Actions (').waitFor();
		return await names.allInnerTexts();
	}

	/** Adds a node by searching for it and choosing one of its actions; it is open then. */
	async addNode(name: string, action: string): Promise<void> {
		await this.findNode(name);
		const item = this.visible('node-creator-item-name').filter({ hasText: action }).first();
		// On an empty canvas only the triggers are unfolded.
		await item
			.waitFor({ timeout: 5000 })
			.catch(async () => await this.page.getByText('Actions (').click());
		await item.click();
		await this.panel.waitFor();
	}

	/** What the panel finds for the tools of an agent. */
	async findTool(agent: string, name: string): Promise<string[]> {
		const node = this.at('canvas-node').filter({ hasText: agent });
		const plus = node.locator(`[data-handleid="inputs/ai_tool/0"] ${testId('canvas-handle-plus')}`);
		// All kinds of nodes for an agent are shown first, and move out while the tools move in.
		const header = this.at('nodes-list-header');
		const tools = header.filter({ hasText: /^\s*Tools\s*$/ });
		await this.creatorLoaded();
		await this.page.evaluate(AT_REST);
		await plus.click();
		await tools.waitFor();
		await header.filter({ hasText: 'Other AI Nodes' }).waitFor({ state: 'detached' });
		await this.search(name);
		return await this.visible('node-creator-item-name').allInnerTexts();
	}

	/**
	 * The panel that adds nodes is loaded after the canvas is drawn, and forgets what it was asked
	 * for before: it then shows all nodes where the tools were meant. Its backdrop comes with it.
	 */
	private async creatorLoaded(): Promise<void> {
		await this.page.locator('[class*="nodeCreatorScrim"]').waitFor({ state: 'attached' });
	}

	private async search(name: string): Promise<void> {
		await this.at('node-creator-search-bar').fill(name);
		await this.visible('node-creator-item-name').filter({ hasText: name }).first().waitFor();
	}

	/** The file of a node's icon on the canvas, once the browser has drawn it. */
	async icon(node: string): Promise<string> {
		const image = this.at('canvas-node').filter({ hasText: node }).locator('img').first();
		await image.evaluate('(image) => image.decode()');
		return new URL((await image.getAttribute('src')) ?? '', this.url).pathname;
	}

	/** Closes messages in the corner, and stops pointing at anything. */
	private async tidy(): Promise<void> {
		await this.page.mouse.move(0, 0);
		for (const close of await this.page.locator('.el-notification__closeBtn').all()) {
			await close.click();
		}
		await this.page.locator('.el-notification').first().waitFor({ state: 'detached' });
	}

	/** A picture of the page, or of one part of it. */
	async picture(path: string, part?: Locator): Promise<void> {
		await this.tidy();
		await this.page.evaluate('document.fonts.ready');
		await (part ?? this.page).screenshot({ path, animations: 'disabled', caret: 'hide' });
	}

	private async unfold(parameter: string): Promise<void> {
		await this.field(parameter).click();
		await this.visible('parameter-input-item').first().waitFor();
	}

	private async folded(): Promise<void> {
		await this.visible('parameter-input-item').first().waitFor({ state: 'hidden' });
	}

	private field(parameter: string): Locator {
		return this.at(`parameter-input-${parameter}`);
	}

	private visible(id: string): Locator {
		return this.at(id).filter({ visible: true });
	}

	private at(id: string): Locator {
		return this.page.locator(testId(id));
	}
}
