import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { readExample } from '../../host/demo/examples.mts';
import { OWNER } from '../../host/n8n/index.mts';
import type { NewWorkflow, SavedWorkflow } from '../../host/n8n/index.mts';
import { Editor } from '../../../test/helpers/editor/editor.mts';
import type { ScreenshotOptions } from './editor.mts';

/** The space that the editor leaves around a workflow, and its toolbars. */
const MARGIN = { width: 160, height: 210 };
/** Wide enough to read the notes, but not so wide that a page shows them too small. */
const WIDEST = 1700;

/** Hides the buttons over the canvas, each with its toolbar. */
const ONLY_THE_WORKFLOW = `for (const id of [
	'canvas-controls', 'node-creator-plus-button', 'execute-workflow-button', 'workflow-chat-button',
	'radio-button-executions',
]) {
	let part = document.querySelector('[data-test-id="' + id + '"]');
	while (part && !part.parentElement.querySelector('.vue-flow__viewport')) part = part.parentElement;
	if (part) part.style.visibility = 'hidden';
}`;

/** Takes a screenshot of every example after its import, and returns their paths. */
export async function takeExampleScreenshots(options: ScreenshotOptions): Promise<string[]> {
	const files = (await readdir('examples')).filter((file) => file.endsWith('.json')).sort();
	const examples = await Promise.all(files.map(async (file) => await readExample(file, [])));
	return await takeWorkflows(
		options,
		examples.map(({ name }, index) => ({
			workflow: options.demo.examples.find((example) => example.name === name)!,
			picture: `example-${files[index]!.replace('.json', '.png')}`,
		})),
	);
}

interface Wanted {
	workflow: SavedWorkflow;
	/** The name of the file. */
	picture: string;
}

async function takeWorkflows(
	{ browser, demo, folder }: ScreenshotOptions,
	wanted: readonly Wanted[],
): Promise<string[]> {
	const editor = await Editor.signIn(browser, demo.host.url, OWNER);
	const taken: string[] = [];
	try {
		for (const { workflow, picture } of wanted) {
			const { nodes } = await demo.host.client.workflow(workflow);
			await editor.openWorkflow(workflow.id);
			const { width, height } = sizeOf(nodes);
			const scale = Math.min(1, WIDEST / (width + MARGIN.width));
			await editor.fit(
				Math.round((width + MARGIN.width) * scale),
				Math.round((height + MARGIN.height) * scale),
			);
			await editor.page.evaluate(ONLY_THE_WORKFLOW);
			const path = join(folder, picture);
			await editor.screenshot(path, editor.canvas);
			taken.push(path);
		}
	} finally {
		await editor.close();
	}
	return taken;
}

const NODE = { width: 96, height: 150 };

/** The size of all nodes and notes together. */
function sizeOf(nodes: NewWorkflow['nodes']) {
	const boxes = nodes.map(({ position: [left, top], parameters }) => {
		const { width = NODE.width, height = NODE.height } = parameters as Partial<typeof NODE>;
		return { left, top, right: left + width, bottom: top + height };
	});
	return {
		width:
			Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left)),
		height:
			Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top)),
	};
}
