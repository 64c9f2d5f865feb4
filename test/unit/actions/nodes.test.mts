import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { RESOURCES } from '../../../nodes/UnifiedPayments/actions/registry.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { UnifiedPaymentsTrigger } from '../../../nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.ts';

const ICON = {
	light: 'file:../../icons/unifiedPayments.svg',
	dark: 'file:../../icons/unifiedPayments.dark.svg',
};

it('the node is called as saved workflows call it', () => {
	const { description } = new UnifiedPayments();
	expect(description).toMatchObject({
		displayName: 'Unified Payments',
		name: 'unifiedPayments',
		icon: ICON,
		group: ['transform'],
		version: 2,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		defaults: { name: 'Unified Payments' },
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
	});
	expect(description.credentials).toEqual([
		{
			name: 'unifiedPaymentsApi',
			required: true,
			displayOptions: {
				show: {
					resource: ['account', 'balance', 'collection', 'paymentLink', 'token', 'transaction'],
				},
			},
		},
	]);
});

it('so is the trigger', () => {
	const { description, webhookMethods } = new UnifiedPaymentsTrigger();
	expect(description).toMatchObject({
		displayName: 'Unified Payments Trigger',
		name: 'unifiedPaymentsTrigger',
		icon: ICON,
		group: ['trigger'],
		version: 2,
		subtitle: '={{ "verification: " + $parameter["verification"] }}',
		defaults: { name: 'Unified Payments Trigger' },
		inputs: [],
		outputs: ['main', 'main'],
		outputNames: ['Callback', 'Rejected'],
		credentials: [{ name: 'unifiedPaymentsApi', required: true }],
	});
	expect(Object.keys(webhookMethods.default).sort()).toEqual(['checkExists', 'create', 'delete']);
});

it('the credential is called as saved workflows call it', () => {
	expect(new UnifiedPaymentsApi()).toMatchObject({
		name: 'unifiedPaymentsApi',
		displayName: 'Unified Payments API',
		documentationUrl: expect.stringMatching(/^https:.*\/docs\/start-here\.md$/),
	});
	const [first, ...others] = new UnifiedPaymentsApi().properties.slice(0, 4);
	expect(first).toMatchObject({ displayName: 'Base URL', type: 'string' });
	const labels = others.map(({ displayName, type }) => `${displayName}: ${type}`);
	const named = ['Client ID', 'Sender', 'Secret Key'];
	expect(labels).toEqual(named.map((name) => `${name}: string`));
	for (const { description = '' } of others) expect(description).toMatch(/^[A-Z]/);
});

it('an AI agent is offered nothing that waits, and nothing whose result is a secret or a setting', () => {
	const hidden = RESOURCES.flatMap(({ option: { value: resource }, operations }) =>
		operations
			.filter(({ option }) => option.displayOptions !== undefined)
			.map(({ option }) => `${String(resource)}.${String(option.value)}`),
	);
	expect(hidden.sort()).toEqual([
		...['account.diagnose', 'collection.createAndWait', 'paymentLink.waitUntilPaid', 'token.get'],
		'transaction.waitUntilFinal',
	]);
});
