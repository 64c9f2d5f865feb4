import { randomUUID } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import {
	DEMO_INTEGRATIONS,
	startSandbox,
	type Sandbox,
	type SandboxOptions,
} from '../../dev/sandbox/index.mts';
import {
	runNode,
	testCredential,
	type NodeResult,
	type RunNodeOptions,
} from '../../dev/host/engine/index.mts';
import { NODE } from '../../dev/host/engine/runNode.mts';
import { lazily, throughout } from './throughout.mts';
import { startTap, type Wire } from './wire.mts';

const [demo] = DEMO_INTEGRATIONS;

/** A credential of the sandbox's first integration. */
export const demoCredential = (
	baseUrl: string,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject => ({
	baseUrl,
	clientId: demo!.clientId,
	sender: demo!.title,
	secretKey: demo!.secretKey,
	...changes,
});

export type RunOptions = Omit<RunNodeOptions, 'credentials' | 'credentialTypes'> & {
	credential: ICredentialDataDecryptedObject;
};

/** Runs the action node in a real workflow. */
export const runPayments = async (
	parameters: INodeParameters,
	{ credential, ...options }: RunOptions,
): Promise<NodeResult> =>
	await runNode(new UnifiedPayments(), parameters, {
		...options,
		credentials: { unifiedPaymentsApi: credential },
		credentialTypes: [new UnifiedPaymentsApi()],
	});

/** Presses "Test" on the credential, as the server does. */
export const pressTest = async (data: ICredentialDataDecryptedObject) =>
	await testCredential(new UnifiedPaymentsApi(), data);

/** The sandbox with a tap before it; its transactions stay pending until a test settles them. */
interface TappedSandbox {
	sandbox: Sandbox;
	tap: Wire;
	credential(changes?: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject;
	close(): Promise<void>;
}

export async function startTapped(options: SandboxOptions = {}): Promise<TappedSandbox> {
	const sandbox = await startSandbox({ settleDelayMs: Infinity, ...options });
	const tap = await startTap(sandbox.url);
	return {
		sandbox,
		tap,
		credential: (changes) => demoCredential(tap.url, changes),
		async close() {
			await tap.close();
			await sandbox.close();
		},
	};
}

export const HOOK = 'https://n8n.example.com/webhook/pay';

/** Creates of collections: a row may say amount, phone, order and hook, and need not. */
export const COLLECT: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount ?? 10 }}',
	mobile: '={{ $json.phone ?? "0712345678" }}',
	orderReference: '={{ $json.order ?? "" }}',
	callbackUrl: '={{ $json.hook ?? "" }}',
};

/** Creates of links: a row may say amount, item, order, hook and email, and need not. */
export const LINK: INodeParameters = {
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount ?? 10 }}',
	businessName: 'Shop',
	itemName: '={{ $json.item ?? "Rent" }}',
	orderReference: '={{ $json.order ?? "" }}',
	callbackUrl: `={{ $json.hook ?? "${HOOK}" }}`,
	additionalFields: { email: '={{ $json.email ?? "" }}' },
};

export const BALANCE = { resource: 'balance', operation: 'get' };

/** Creates of collections from a sheet, by its headings. */
export const SHEET: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
};

/** Where creates and their look-ups arrive. */
export const PATHS = {
	collect: '/api/v3/service-unified-collections',
	link: '/api/v3/payment-link-api/create',
	list: '/api/payment-link-api/list',
	status: '/api/v3/get-unified-transaction-status',
} as const;

export interface More extends Partial<RunOptions> {
	/** Options of the node. */
	options?: IDataObject;
	/** What the credential has instead of the usual. */
	account?: ICredentialDataDecryptedObject;
}

export interface Payments extends Omit<TappedSandbox, 'close'> {
	/** One more run of this test's workflow, with one empty row if none is given. */
	run(parameters: INodeParameters, items?: RunOptions['items'], more?: More): Promise<NodeResult>;
	workflowId(): string;
	/** How many requests with this path arrived, e.g. of `PATHS`. */
	asked(path: string): number;
	/** How many creates arrived. */
	posts(): number;
	/** How many creates the service took. */
	accepted(): number;
	/** How often it took each order. */
	taken(): Record<string, number>;
}

/**
 * A sandbox for all tests of a file, which is as new before each of them, and a workflow for each test.
 * Only with `isTapped` the tap sees what goes over the wire.
 */
export function usePayments({
	onError,
	isTapped = false,
	...options
}: SandboxOptions & Pick<RunOptions, 'onError'> & { isTapped?: boolean } = {}): Payments {
	const service = throughout(async () => await startTapped(options));
	const credential: Payments['credential'] = (changes) =>
		isTapped ? service.credential(changes) : demoCredential(service.sandbox.url, changes);
	let workflowId: string;
	beforeEach(() => {
		service.sandbox.reset();
		service.tap.received.length = 0;
		workflowId = randomUUID();
	});
	const asked = (path: string) =>
		service.sandbox.state.requests.filter((each) => each.path === path).length;
	return {
		sandbox: lazily(() => service.sandbox),
		tap: lazily(() => service.tap),
		credential,
		run: async (parameters, items = [{}], { options: own, account, ...more } = {}) =>
			await runPayments(
				{
					...parameters,
					options: { ...(parameters.options as object), ...own } as INodeParameters,
				},
				{ credential: credential(account), items, workflowId, onError, ...more },
			),
		workflowId: () => workflowId,
		asked,
		posts: () => asked(PATHS.collect) + asked(PATHS.link),
		accepted: () => service.sandbox.state.ledger.accepted,
		taken: () => service.sandbox.state.ledger.countBy('third_party_reference_1'),
	};
}

/** What became of each row, whichever output it took. */
export function outcomes(result: NodeResult): unknown[] {
	const all: unknown[] = [];
	for (const { json, pairedItem } of [...result.items, ...result.outputs(NODE, 1)]) {
		const { outcome } = (json.error ?? json) as IDataObject;
		all[(pairedItem as { item: number }).item] = outcome;
	}
	return all;
}

/** What is said of the rows on the error output. */
export const messages = ({ failedJson }: NodeResult): string[] =>
	failedJson.map(({ error }) => String((error as IDataObject).message));

/** The parameters of a request as they went over the wire. */
export const paramsOf = ({ json }: { json: unknown }): IDataObject =>
	(json as { params: IDataObject }).params;
