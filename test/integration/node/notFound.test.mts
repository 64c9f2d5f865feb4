// What a service does not show may be there all the same: only a person may decide to send it again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import {
	COLLECT,
	demoCredential,
	LINK,
	outcomes,
	paramsOf,
	PATHS,
	usePayments,
} from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const { accepted, posts, run, sandbox } = usePayments({ onError: 'continueErrorOutput' });
const opened = closing();

const A1 = { order: 'A-1' };
const SENT_BEFORE = { order: 'A-0' };

describe('a collection whose answer was lost', () => {
	it('is not free because its order is not known, like that of one that was taken', async () => {
		expect(outcomes(await run(COLLECT, [SENT_BEFORE]))).toEqual(['accepted']);
		sandbox.faults.add({ kind: 'reset-after', route: PATHS.collect, nth: 1 });
		for (let times = 0; times < 3; times++)
			expect(outcomes(await run(COLLECT, [A1]))).toEqual(['unknown']);
		expect([posts(), accepted()]).toEqual([2, 2]);
	});

	it('is not free while its first request is still under way', async () => {
		sandbox.faults.add({ kind: 'latency', delayMs: 3000, route: PATHS.collect, nth: 1 });
		const options = { timeoutSeconds: 1 };
		for (let times = 0; times < 3; times++)
			expect(outcomes(await run(COLLECT, [A1], { options }))).toEqual(['unknown']);
		expect(accepted()).toBe(1);
	});
});

describe('a link whose answer was lost is not free', () => {
	it.each<[string, (own: IDataObject[]) => IDataObject[]]>([
		['the list is empty', () => []],
		['the list shows the newest, which are others', (all) => all.slice(1).map(unmarked)],
		['the list shows what was sent before and after it', ([before, , after]) => [before!, after!]],
		['the list shows no callback URLs', (all) => all.map(unmarked)],
	])('%s', async (_, shown) => {
		const all: IDataObject[] = [];
		const wire = opened(
			await startWire((received, response) => {
				if (received.path === PATHS.list)
					return json(response, 200, { success: true, message: '', data: shown(all) });
				const { amount, callback_url } = paramsOf(received);
				const number = all.push({
					amount,
					callback_url,
					link: `https://pay.example/${all.length}`,
				});
				if (number === 2) return void response.destroy();
				json(response, 200, { success: true, message: 'Payment link was created.', data: {} });
			}),
		);
		const credential = demoCredential(wire.url, { listAuthentication: 'none' });
		const send = async (row: IDataObject) => outcomes(await run(LINK, [row], { credential }));
		expect(await send(SENT_BEFORE)).toEqual(['accepted']);
		expect(await send(A1)).toEqual(['unknown']);
		expect(await send({ order: 'A-2' })).toEqual(['accepted']);
		for (let times = 0; times < 2; times++) expect(await send(A1)).toEqual(['unknown']);
		expect(all).toHaveLength(3);
	});
});
const unmarked = ({ amount, link }: IDataObject): IDataObject => ({ amount, link });

it('no example sends by itself what has no answer', () => {
	const folder = 'examples';
	const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
	expect(files.length).toBeGreaterThan(3);
	for (const name of files)
		expect(readFileSync(join(folder, name), 'utf8')).not.toContain('sendUnanswered');
});
