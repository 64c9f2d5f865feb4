import type { CreateOperation } from '../../../nodes/UnifiedPayments/actions/operation.ts';
import { readOptions } from '../../../nodes/UnifiedPayments/fields/options.ts';
import type { Credential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import {
	checkRows,
	isAwaited,
	type CheckRun,
	type ReadyRow,
} from '../../../nodes/UnifiedPayments/rows/checkRows.ts';
import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';

const WAITS = { waits: () => 5 } as unknown as CreateOperation;
const PLAIN = {} as CreateOperation;

it.each([
	['a create', false, PLAIN, {}],
	['a create that is told to wait', true, PLAIN, { waitInThisExecution: true }],
	['an operation that waits', true, WAITS, {}],
	['an operation that waits, told so', true, WAITS, { waitInThisExecution: true }],
])('whether %s is awaited: %s', (_, awaited, operation, options) => {
	expect(isAwaited(operation, readOptions(options))).toBe(awaited);
});

describe('the callback URL of a row', () => {
	const account = {
		baseUrl: 'https://api.example.com',
		identity: { clientId: 'c', sender: 's', secretKey: 'k' },
		callbackToken: null,
	} as unknown as Credential;

	async function checked(url: string | undefined, options: object, operation = PLAIN) {
		const run = {
			operation: {
				...operation,
				path: '/pay',
				prepare: async () => ({
					params: { callback_url: url },
					shown: { callback_url: url },
					payment: {
						orderReference: 'A-1',
						payer: ['254712345678'],
						item: '',
						amount: '5',
						currency: 'KES',
						countryId: 1,
					},
				}),
			},
			count: 1,
			read: () => ({ fields: {}, options }),
			item: () => ({}),
			files: () => ({}),
			names: createRowNames(() => ({})),
			client: { forRow: () => ({ credential: async () => account }) },
			resumeUrl: async () => 'https://n8n.example.com/resume',
			cancelled: () => false,
			yieldToHost: async () => {},
		} as unknown as CheckRun;
		const [row] = (await checkRows(run)) as ReadyRow[];
		return { url: row!.prepared.params.callback_url, mark: row!.mark };
	}

	it('carries the order', async () => {
		const { url, mark } = await checked('https://shop.example.com/paid', {});
		expect(mark).toMatch(/A-1/);
		expect(url).toMatch(/^https:\/\/shop\.example\.com\/paid\?.*A-1/);
	});

	it('is as it was given when it is not to carry the order', async () => {
		const given = 'https://shop.example.com/paid';
		expect(await checked(given, { orderInCallbackUrl: false })).toEqual({ url: given, mark: null });
	});

	it('is none when none was given', async () => {
		expect(await checked(undefined, {})).toEqual({ url: undefined, mark: null });
	});

	it.each([
		[{ waitInThisExecution: true, orderInCallbackUrl: false }, PLAIN],
		[{ orderInCallbackUrl: false }, WAITS],
	])(
		'is that of the execution where it waits, and always carries the order: %j',
		async (options, op) => {
			const { url, mark } = await checked('https://shop.example.com/paid', options, op);
			expect(mark).toMatch(/A-1/);
			expect(url).toMatch(/^https:\/\/n8n\.example\.com\/resume\?.*A-1/);
		},
	);
});
