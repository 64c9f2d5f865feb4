import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { COLLECT, demoCredential, outcomes, PATHS, runPayments } from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const opened = closing();

type Answer = { status: number; reply: object };

/** Runs against a service whose creates are answered like this, or cut off: outcomes, and creates that arrived. */
async function outcomesOf(answerTo: (nth: number) => Answer | null, runs: INodeParameters[]) {
	let posts = 0;
	const wire = opened(
		await startWire(({ path }, response) => {
			const notFound = { status: 200, reply: { success: false, message: 'Record not found' } };
			const answer = path === PATHS.collect ? answerTo(++posts) : notFound;
			if (answer === null) return void response.destroy();
			json(response, answer.status, { data: {}, ...answer.reply });
		}),
	);
	const credential = demoCredential(wire.url);
	const shared = { credential, items: [{ order: 'A-1' }], workflowId: randomUUID() };
	const all: unknown[] = [];
	for (const options of runs) {
		const onError = 'continueRegularOutput';
		all.push(...outcomes(await runPayments({ ...COLLECT, options }, { ...shared, onError })));
	}
	return { outcomes: all, posts };
}

const twice = async (status: number, reply: object) =>
	await outcomesOf(() => ({ status, reply }), [{}, {}]);

const PROCESSED = 'Transaction was not created again: it is being processed';

it.each([
	[200, { success: false, message: PROCESSED }],
	[400, { success: false, message: PROCESSED }],
	[422, { success: 'false', message: PROCESSED }],
	[404, { success: false, message: 'No' }],
	[409, { success: false, message: 'No' }],
	[401, { success: false, message: 'Not allowed: duplicate' }],
	[403, { success: false, message: 'DUPLICATE_REQUEST' }],
	[422, { success: false, message: 'Not valid', errors: { reference: ['has been taken'] } }],
	[200, { success: false, message: 'No', data: { reference: 'R-1' } }],
])('a %d with %j is unknown, and the next run sends nothing', async (status, reply) => {
	expect(await twice(status, reply)).toEqual({ outcomes: ['unknown', 'unknown'], posts: 1 });
});

it.each([200, 400, 422])('a plain no with %d is rejected, and sent again', async (status) => {
	const reply = { success: false, message: 'Transaction was not created!' };
	expect(await twice(status, reply)).toEqual({ outcomes: ['rejected', 'rejected'], posts: 2 });
});

it('"exists already" after Send Unanswered is unknown, and the next run sends nothing', async () => {
	const exists = { status: 422, reply: { success: false, message: 'exists already' } };
	const cutOffFirst = (nth: number) => (nth === 1 ? null : exists);
	const runs = [{}, { onDuplicate: 'sendUnanswered' }, {}];
	const unknown = ['unknown', 'unknown', 'unknown'];
	expect(await outcomesOf(cutOffFirst, runs)).toEqual({ outcomes: unknown, posts: 2 });
});
