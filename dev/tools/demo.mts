// `npm run demo`: a workflow in n8n's engine, without an n8n server. A sheet of orders becomes payment links in the
// sandbox, which then stays open to look at. `npm run demo -- --once` ends right away.
import { parseArgs } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';
import { sandboxCredential } from '../host/demo/sandboxCredential.mts';
import { runNode } from '../host/engine/index.mts';
import { UnifiedPayments } from '../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { startSandbox } from '../sandbox/index.mts';

const { values } = parseArgs({
	options: { once: { type: 'boolean' }, port: { type: 'string', default: '0' } },
});

/** A sheet as people write it: numbers as text, phone numbers in many spellings, and two mistakes. */
const SHEET: IDataObject[] = [
	{ country: 'Kenya', amount: '1,250.50', customer: 'Amina', phone: '0712 345678', order: 'A-1' },
	{
		country: 'Ivory Coast',
		amount: '15 000',
		customer: 'Kouadio',
		phone: '07 12 34 56 78',
		order: 'A-2',
	},
	{ country: 'GH', amount: 80, customer: 'Kofi', phone: '+233 24 123 4567', order: 'A-3' },
	{ country: 'Benin', amount: '99.90', customer: 'Sènami', phone: '01 95 12 34 56', order: 'A-4' },
	{ country: 'Nigeria', amount: 12500, customer: 'Ngozi', phone: 8021234567, order: 'A-5' },
	{
		country: 'Uganda',
		amount: '45000',
		customer: 'Okello',
		phone: '7.72E+08',
		order: 'A-6',
	},
	{ country: 'ZMB', amount: '310.75', customer: 'Mutale', phone: '0955 123456', order: 'A-7' },
	{ country: '255', amount: '20000', customer: 'Neema', phone: '0712 345 678', order: 'A-8' },
];

const PARAMETERS = {
	resource: 'paymentLink',
	operation: 'create',
	country: '={{ $json.country }}',
	amount: '={{ $json.amount }}',
	businessName: 'Demo Shop',
	itemName: '=Order {{ $json.order }}',
	orderReference: '={{ $json.order }}',
	// By its own callback URL each link is found in the list.
	callbackUrl: 'https://shop.example.com/paid',
	additionalFields: { firstName: '={{ $json.customer }}', phone: '={{ $json.phone }}' },
};

const sandbox = await startSandbox({ port: Number(values.port) });
console.log(`\nThe sandbox plays the Unified Payments API at ${sandbox.url}`);
console.log(`A workflow turns a sheet of ${SHEET.length} orders into payment links …\n`);

const result = await runNode(new UnifiedPayments(), PARAMETERS, {
	credentials: { unifiedPaymentsApi: sandboxCredential(sandbox) },
	credentialTypes: [new UnifiedPaymentsApi()],
	items: SHEET,
	onError: 'continueErrorOutput',
});

for (const { link, request } of result.successJson) {
	const { item_name, amount, currency } = request as IDataObject;
	console.log(`  ✓ ${item_name}  ${String(amount).padStart(9)} ${currency}  ${link}`);
}
for (const { order, error } of result.failedJson) {
	const { message, description } = error as IDataObject;
	console.log(`  ✗ Order ${order}  ${message}`);
	console.log(`               ${description}`);
}
const [hint] = result.nodeHints;
console.log(`\n${hint?.message}.`);
if (result.successJson.every(({ linkFrom }) => linkFrom === 'list')) {
	console.log(
		'The replies have no link, as in the specification: each was found in the list of links.',
	);
}

if (values.once) {
	await sandbox.close();
} else {
	console.log(`Open a link to pay it, or ${sandbox.url} to see everything. Ctrl-C stops.\n`);
}
