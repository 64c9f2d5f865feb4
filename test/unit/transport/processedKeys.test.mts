import type { IExecuteFunctions } from 'n8n-workflow';

import { createProcessedKeys } from '../../../nodes/UnifiedPayments/transport/processedKeys.ts';
import { createClaims } from '../../../nodes/UnifiedPayments/rows/claims/claims.ts';

/** The host's store as far as it forgets: the oldest first, beyond what the caller allows. */
function contextOfHost(): { context: IExecuteFunctions; entries: Set<string> } {
	const entries = new Set<string>();
	const helpers = {
		checkProcessedAndRecord: async (
			keys: string[],
			_scope: string,
			{ maxEntries = Infinity }: { maxEntries?: number },
		) => {
			const processed = keys.filter((key) => entries.has(key));
			for (const key of keys) entries.add(key);
			for (const oldest of entries) {
				if (entries.size <= maxEntries) break;
				entries.delete(oldest);
			}
			return { new: [], processed };
		},
		getProcessedDataCount: async () => entries.size,
		removeProcessed: async (keys: string[]) => {
			for (const key of keys) entries.delete(key);
		},
	};
	const context = {
		helpers,
		getWorkflow: () => ({ id: 'claims' }),
		getNode: () => ({ id: 'node' }),
	} as unknown as IExecuteFunctions;
	return { context, entries };
}

async function claimAll(context: IExecuteFunctions, rows: number): Promise<Set<string>> {
	const claims = createClaims(createProcessedKeys(context));
	const heard = new Set<string>();
	const keys = Array.from({ length: rows }, (_, row) => `row ${row}`);
	for (let at = 0; at < rows; at += 500) {
		const chunk = keys.slice(at, at + 500);
		const wishes = chunk.map((key) => ({ key, values: key, sendUnanswered: false }));
		for (const claim of await claims.claim(wishes)) heard.add(claim);
		for (const key of chunk) claims.end(key, 'answered');
	}
	await claims.flush();
	await claims.trim(rows);
	return heard;
}

it('remembers every row of a very long sheet, also after a short one', async () => {
	const { context, entries } = contextOfHost();

	expect([...(await claimAll(context, 60_000))]).toEqual(['mine']);
	expect(entries.size).toBe(180_000);
	await claimAll(context, 1);
	expect([...(await claimAll(context, 60_000))]).toEqual(['sent']);
});

it('cuts with each write where the caller says so', async () => {
	const { context, entries } = contextOfHost();
	const keys = createProcessedKeys(context, { maxEntries: 2 });
	await keys.record(['a', 'b', 'c']);
	expect([...entries]).toEqual(['b', 'c']);
	expect(await keys.count()).toBe(2);
	await keys.remove(['b']);
	await keys.trim(0);
	expect([...entries]).toEqual([]);
});

it('has one lock for each node, or for the workflow where its nodes share the keys', () => {
	const { context } = contextOfHost();
	const other = { ...context, getNode: () => ({ id: 'other' }) } as IExecuteFunctions;
	const elsewhere = { ...context, getWorkflow: () => ({ id: 'else' }) } as IExecuteFunctions;
	const names = (scope?: 'node' | 'workflow') =>
		[context, other, elsewhere].map((each) => createProcessedKeys(each, { scope }).name);
	expect(new Set([...names(), ...names('workflow')]).size).toBe(5);
	expect(names('node')).toEqual(names());
	expect(names('workflow')[0]).toBe(names('workflow')[1]);
});

it('asks the host once more when it could not write, in the same words', async () => {
	const asked: unknown[] = [];
	const { context } = contextOfHost();
	context.helpers.checkProcessedAndRecord = async (...given: unknown[]) => {
		asked.push(given);
		if (asked.length === 1) throw new Error('duplicate key value');
		return { new: [], processed: ['a'] };
	};
	expect([...(await createProcessedKeys(context).record(['a', 'b']))]).toEqual(['a']);
	const question = [['a', 'b'], 'node', { mode: 'entries', maxEntries: undefined }];
	expect(asked).toEqual([question, question]);
});
