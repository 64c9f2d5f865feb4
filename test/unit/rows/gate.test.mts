import type { CreateOperation } from '../../../nodes/UnifiedPayments/actions/operation.ts';
import { readOptions } from '../../../nodes/UnifiedPayments/fields/options.ts';
import { fingerprintOf } from '../../../nodes/UnifiedPayments/payment/fingerprint.ts';
import type { ReadyRow } from '../../../nodes/UnifiedPayments/rows/checkRows.ts';
import type { Claim, Claims } from '../../../nodes/UnifiedPayments/rows/claims.ts';
import { refusalOf, sendable } from '../../../nodes/UnifiedPayments/rows/gate.ts';
import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';

const OPERATION = { path: '/collect' } as CreateOperation;
const ACCOUNT = {
	baseUrl: 'https://api.example.com',
	identity: { clientId: 'c', sender: 's', secretKey: 'k' },
};

interface Given {
	amount: string;
	currency?: string;
	/** What earlier runs did with it. */
	claim?: Claim;
}

/** What is said about these rows with these options, and how many were looked up at a time. */
async function gate(given: readonly Given[], options: object, peek?: Claims['peek']) {
	const shared = readOptions({ ...options });
	const rows = given.map(({ amount, currency = 'KES' }, row) => ({
		row,
		ready: {
			account: ACCOUNT,
			options: shared,
			identity: { key: String(row), values: null },
			prepared: { params: { amount }, payment: { amount, currency } },
		} as unknown as ReadyRow,
	}));
	const looks: number[] = [];
	const refusal = await refusalOf(
		{
			operation: OPERATION,
			names: createRowNames(() => ({})),
			claims: {
				peek:
					peek ??
					(async (wishes) => {
						looks.push(wishes.length);
						return wishes.map(({ key }) => given[Number(key)]!.claim ?? 'mine');
					}),
			} as Claims,
			yieldToHost: async () => {},
		},
		rows,
	);
	const approve = (few: typeof rows) =>
		fingerprintOf(few.map(({ ready }) => sendable(OPERATION, ready)))!;
	return { refusal, looks, approve, rows };
}

const tens = (count: number, claim?: Claim): Given[] =>
	Array.from({ length: count }, () => ({ amount: '10', claim }));

describe("'Max Total'", () => {
	it('holds for each currency by itself, and names the row that passes it', async () => {
		const rows: Given[] = [
			{ amount: '5', currency: 'UGX' },
			{ amount: '60' },
			{ amount: '90', currency: 'UGX' },
			{ amount: '60.5' },
		];
		const { refusal } = await gate(rows, { maxTotal: 100 });
		expect(refusal).toMatchObject({
			row: 3,
			error: {
				message:
					"The rows ask for 120.50 KES together, which is more than the 100 KES of 'Max Total'. With row 4 (item 3) it is more",
				description:
					"Nothing was sent. If the rows are right, raise 'Max Total' in the options; if not, correct or remove some of them.",
			},
		});
		expect((await gate(rows, { maxTotal: 120.5 })).refusal).toBeNull();
	});

	it('looks up earlier runs only when the limit is passed, a thousand rows at a time', async () => {
		expect(await gate(tens(2500), { maxTotal: 25_000 })).toMatchObject({
			refusal: null,
			looks: [],
		});
		const { refusal, looks } = await gate(tens(2500), { maxTotal: 24_999 });
		expect(refusal?.row).toBe(2499);
		expect(looks).toEqual([1000, 1000, 500]);
		expect((await gate(tens(1000), { maxTotal: 1 })).looks).toEqual([1000]);
	});

	it.each<[Claim, boolean]>([
		['answered', true],
		['unanswered', true],
		['underWay', false],
		['mine', false],
	])('of rows that are %s: not counted: %s', async (claim, isLeftOut) => {
		const { refusal } = await gate([...tens(3, claim), ...tens(1)], { maxTotal: 15 });
		expect(refusal === null).toBe(isLeftOut);
	});

	it('counts all rows when it cannot be looked up', async () => {
		const { refusal } = await gate(tens(3, 'answered'), { maxTotal: 15 }, async () => {
			throw new Error('the database is locked');
		});
		expect(refusal?.row).toBe(1);
	});

	it('is no matter when all rows were sent before', async () => {
		expect((await gate(tens(3, 'answered'), { maxTotal: 15 })).refusal).toBeNull();
	});
});

describe('an approval', () => {
	it('holds for what is left to be sent', async () => {
		const rows = [...tens(2, 'answered'), ...tens(3)];
		const { approve, rows: all } = await gate(rows, {});
		const left = approve(all.slice(2));
		expect((await gate(rows, { approvedFingerprint: left })).refusal).toBeNull();
		// The limit is looked at as well.
		const both = await gate(rows, { approvedFingerprint: left, maxTotal: 20 });
		expect(both.refusal?.error.message).toContain("'Max Total'");
		expect((await gate(rows, { approvedFingerprint: left, maxTotal: 30 })).refusal).toBeNull();
	});

	it('says what is not as it was approved', async () => {
		const { approve, rows } = await gate(tens(3), {});
		const { refusal } = await gate(tens(4), { approvedFingerprint: approve(rows) });
		expect(refusal).toMatchObject({
			row: 0,
			error: {
				message:
					'These are not the rows that were approved: approved was 3 rows with 30 KES, and now it is 4 rows with 40 KES',
				description:
					"Nothing was sent. Run 'Check' again with these rows, with the same settings as here, and have the new fingerprint approved.",
			},
		});
	});

	it('is no matter when all rows were sent before', async () => {
		const { approve, rows } = await gate(tens(3), {});
		const { refusal } = await gate(tens(4, 'answered'), { approvedFingerprint: approve(rows) });
		expect(refusal).toBeNull();
	});
});
