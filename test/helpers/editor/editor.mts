import type { Browser, Locator, Page } from 'playwright-core';

import type { Login } from '../../../dev/host/n8n/client.mts';

const testId = (id: string) => `[data-test-id="${id}"]`;

/** The editor takes up what is typed 100 ms later; a timer of the page that is longer ends after that. */
const TYPED_IS_TAKEN = 'new Promise((resolve) => setTimeout(resolve, 200))';

/** Resolves when the canvas has not moved for several frames. */
const CANVAS_STILL = `new Promise((resolve) => {
	const pane = document.querySelector('.vue-flow__transformationpane');
	let same = 0;
	let last;
	const look = () => {
		const { transform } = pane.style;
		same = transform === last ? same + 1 : 0;
		last = transform;
		if (same > 10) resolve();
		else requestAnimationFrame(look);
	};
	look();
})`;

/** n8n's editor in a browser, with methods named after what users do. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Opens a new window and signs in. */
	static async signIn(browser: Browser, url: string, login: Login): Promise<Editor> {
		return await Editor.open(browser, `${url}/signin`, login);
	}

	/** Opens an address in a new window, signs in where n8n asks for it, and stays where that leads. */
	static async open(
		browser: Browser,
		address: string,
		{ email, password }: Login,
	): Promise<Editor> {
		const context = await browser.newContext({
			viewport: { width: 1400, height: 900 },
			reducedMotion: 'reduce',
		});
		const page = await context.newPage();
		// The editor is several megabytes, and the machine may be busy.
		page.setDefaultTimeout(60_000);
		await page.goto(address);
		await page.locator('input[type=email]').fill(email);
		await page.locator('input[type=password]').fill(password);
		await page.locator(testId('form-submit-button')).click();
		await page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'));
		return new Editor(page, new URL(address).origin);
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

	/** The name of the open workflow, as its header shows it. */
	async workflowName(): Promise<string> {
		await this.at('canvas-node').first().waitFor();
		return (await this.at('workflow-name-input').getAttribute('title')) ?? '';
	}

	/** What the notes on the canvas say. */
	async notes(): Promise<string> {
		return (await this.at('sticky').allInnerTexts()).join('\n');
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

	/** The selected option of a dropdown of the open node. */
	async chosen(parameter: string): Promise<string> {
		return await this.field(parameter).locator('input').first().inputValue();
	}

	async choose(parameter: string, choice: string): Promise<void> {
		await this.field(parameter).click();
		const items = this.visible('parameter-input-item');
		await items.filter({ hasText: choice }).first().click();
		await items.first().waitFor({ state: 'hidden' });
	}

	async type(parameter: string, text: string): Promise<void> {
		await this.field(parameter).locator('input, textarea').first().fill(text);
		await this.page.evaluate(TYPED_IS_TAKEN);
	}

	/** What the list of a locator offers, once this entry is among it. */
	async offered(parameter: string, entry: string, typed = ''): Promise<string[]> {
		const search = this.visible('rlc-search');
		if ((await search.count()) === 0) await this.locator(parameter).click();
		await search.fill(typed);
		const entries = this.visible('rlc-item');
		await entries.filter({ hasText: entry }).first().waitFor();
		// The list before is shown until the next one is there.
		const others = entries.filter({ hasNotText: new RegExp(typed, 'i') });
		await others.first().waitFor({ state: 'detached' });
		return (await entries.allInnerTexts()).map((name) => name.trim());
	}

	/** Takes an entry of the list of a locator that is open. */
	async pick(entry: string): Promise<void> {
		await this.visible('rlc-item').filter({ hasText: entry }).first().click();
		await this.visible('rlc-item').first().waitFor({ state: 'hidden' });
	}

	/** What a locator shows as picked. */
	async picked(parameter: string): Promise<string> {
		return await this.locator(parameter).inputValue();
	}

	/** Runs the open node and waits for its result. */
	async executeStep(): Promise<void> {
		const started = this.page.waitForResponse((answer) =>
			/\/workflows\/\w+\/run/.test(answer.url()),
		);
		await this.pressExecute();
		await started;
		// The message goes by itself after some seconds, which a busy machine may miss; the mark stays.
		await this.page
			.getByText('Node executed successfully')
			.or(this.at('node-run-status-success'))
			.first()
			.waitFor()
			.catch(async (error: Error) => {
				const shown = [await this.panel.innerText(), await this.output()].join('\n');
				throw new Error(`${error.message}\nThe editor shows:\n${shown}`);
			});
	}

	/** Runs the open node, whatever comes of it. */
	async pressExecute(): Promise<void> {
		await this.at('node-execute-button').click();
	}

	/** Flips a switch. */
	async turn(parameter: string): Promise<void> {
		await this.field(parameter).locator('.el-switch, [role="switch"]').first().click();
	}

	/** Chooses another credential for the open node. */
	async chooseCredential(name: string): Promise<void> {
		await this.at('node-credentials-select').first().click();
		await this.listed(name).click();
	}

	/** Chooses how the columns of the open node are mapped. */
	async chooseMapping(name: string): Promise<void> {
		await this.at('mapping-mode-select').locator('input').first().click();
		await this.listed(name).click();
	}

	/** An entry of the open list. */
	private listed(name: string): Locator {
		return this.page
			.locator('.el-select-dropdown__item, [role="option"]')
			.filter({ visible: true })
			.filter({ hasText: name })
			.first();
	}

	/** Runs the open workflow and waits for its end. */
	async executeWorkflow(): Promise<void> {
		await this.at('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').waitFor();
	}

	/** Shows the whole workflow in a window of this size, and waits until nothing moves. */
	async fit(width: number, height: number): Promise<void> {
		await this.page.setViewportSize({ width, height });
		await this.at('zoom-to-fit').click();
		await this.page.evaluate(CANVAS_STILL);
	}

	async openCredential(name: string): Promise<void> {
		await this.page.goto(`${this.url}/home/credentials`);
		await this.at('resources-list-item').filter({ hasText: name }).first().click();
		// The dialog is there before its fields are.
		await this.dialog.locator('[data-test-id="parameter-input-secretKey"]').waitFor();
	}

	/** Opens the dialog for a new credential of the open node. */
	async newCredential(): Promise<void> {
		await this.at('node-credentials-select').first().click();
		await this.visible('node-credentials-select-item-new').click();
		await this.dialog.waitFor();
	}

	/** Newer editors close the dialog themselves after a node's new credential has been tested. */
	async closeDialog(): Promise<void> {
		const close = this.dialog.locator('.el-dialog__headerbtn');
		await this.dialog
			.waitFor({ state: 'hidden', timeout: 5000 })
			.catch(async () => await close.click());
		await this.dialog.waitFor({ state: 'hidden' });
	}

	/** Waits until the output of the open node shows this. */
	async outputShows(text: string): Promise<void> {
		await this.at('output-panel').getByText(text).first().waitFor();
	}

	/** What the output of the open node shows. */
	async output(): Promise<string> {
		return await this.at('output-panel').innerText();
	}

	/** The dialog of a credential. */
	get dialog(): Locator {
		return this.at('editCredential-modal');
	}

	/** The area with the nodes and their connections. */
	get canvas(): Locator {
		return this.at('canvas-wrapper');
	}

	/** Types a secret that the service refuses into the open dialog, saves, and gives what is said about it. */
	async saveRefused(secret: string): Promise<string> {
		await this.type('secretKey', secret);
		await this.saveAndTest();
		await this.dialog.getByText('More details').click();
		return await this.dialog.locator('.el-tag--danger').filter({ visible: true }).innerText();
	}

	/** Saves the open dialog, and gives what its test says. */
	async saveAndTest(): Promise<string> {
		const tested = this.page.waitForResponse((answer) =>
			answer.url().endsWith('/credentials/test'),
		);
		await this.at('credential-save-button').click();
		const { data } = (await (await tested).json()) as { data: { message: string } };
		return data.message;
	}

	/** Publishes the open workflow, under the version name that the dialog offers. */
	async publish(): Promise<void> {
		const button = this.page.getByRole('button', { name: 'Publish', exact: true });
		await button.click();
		const published = this.page.waitForResponse((answer) =>
			/\/workflows\/\w+\/activate/.test(answer.url()),
		);
		await this.page.getByRole('dialog').filter({ has: button }).locator(button).click();
		await published;
	}

	/** Moves the parameters of the open node to the left, so that its output has more room. */
	async widenOutput(): Promise<void> {
		const { x, y, width, height } = (await this.at('panel-drag-button').boundingBox())!;
		const { mouse } = this.page;
		await mouse.move(x + width / 2, y + height / 2);
		await mouse.down();
		await mouse.move(0, y + height / 2, { steps: 10 });
		await mouse.up();
	}

	/** The editor follows the system's theme. */
	async theme(colorScheme: 'light' | 'dark'): Promise<void> {
		await this.page.emulateMedia({ colorScheme });
		await this.page.evaluate(
			'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
		);
	}

	/** Opens the panel that adds nodes, unless it is open. */
	async openCreator(workflow: string): Promise<void> {
		const bar = this.at('node-creator-search-bar');
		if (await bar.isVisible()) return;
		await this.openWorkflow(workflow);
		// It is loaded after the canvas is drawn; its backdrop appears when it is.
		await this.page.locator('[class*="nodeCreatorScrim"]').waitFor({ state: 'attached' });
		await this.at('node-creator-plus-button').click();
		await bar.waitFor();
	}

	/** The nodes that the open panel finds for a word, best first, once a node is among them. */
	async found(word: string, node: string): Promise<string[]> {
		await this.at('node-creator-search-bar').fill(word);
		const names = this.visible('node-creator-item-name');
		await names.filter({ hasText: node }).first().waitFor();
		return (await names.allInnerTexts()).map((name) => name.trim());
	}

	/** Finds a node in the panel that adds nodes and returns its actions. */
	async findNode(name: string): Promise<string[]> {
		await this.at('node-creator-plus-button').click();
		await this.found(name, name);
		const names = this.visible('node-creator-item-name');
		await names.filter({ hasText: name }).first().click();
		await this.page.getByText('Actions (').waitFor();
		return await names.allInnerTexts();
	}

	/** Searches for a node, adds it with one of its actions, and leaves it open. */
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

	/** Closes notifications, and moves the mouse away. */
	private async clearNotifications(): Promise<void> {
		await this.page.mouse.move(0, 0);
		for (const close of await this.page.locator('.el-notification__closeBtn').all()) {
			await close.click();
		}
		await this.page.locator('.el-notification').first().waitFor({ state: 'detached' });
	}

	/** A screenshot of the page, or of one part of it. */
	async screenshot(path: string, part?: Locator): Promise<void> {
		await this.clearNotifications();
		await this.page.evaluate('document.fonts.ready');
		await (part ?? this.page).screenshot({ path, animations: 'disabled', caret: 'hide' });
	}

	private field(parameter: string): Locator {
		return this.at(`parameter-input-${parameter}`);
	}

	/** The first field chooses how a thing is named; on older releases the last one searches its list. */
	private locator(parameter: string): Locator {
		const fields = `input:not(${testId('rlc-search')})`;
		return this.at(`resource-locator-${parameter}`).locator(fields).last();
	}

	private visible(id: string): Locator {
		return this.at(id).filter({ visible: true });
	}

	private at(id: string): Locator {
		return this.page.locator(testId(id));
	}
}
