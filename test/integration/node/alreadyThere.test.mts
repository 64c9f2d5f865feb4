import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { startWire } from '../../helpers/wire.mts';

const CREATE = '/api/v3/service-unified-collections';

const collect = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: 100,
	mobile: '0712345678',
	orderReference: 'A-1',
};

type Answer = { status: number; reply: object };

/** Runs against a service whose creates are answered like this, or cut off: outcomes, and creates that arrived. */
async function outcomesOf(answerTo: (nth: number) => Answer | null, runs: INodeParameters[]) {
	let posts = 0;
	const service = await startWire(({ path }, response) => {
		const notFound = { status: 200, reply: { success: false, message: 'Record not found' } };
		const answer = path === CREATE ? answerTo(++posts) : notFound;
		if (answer === null) return void response.destroy();
		response.writeHead(answer.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ data: {}, ...answer.reply }));
	});
	const outcomes: unknown[] = [];
	try {
		for (const options of runs) {
			const { items } = await runPayments(
				{ ...collect, options },
				{
					credential: demoCredential(service.url),
					items: [{}],
					onError: 'continueRegularOutput',
					workflowId: `already there ${service.url}`,
				},
			);
			const { outcome, error } = items[0]!.json as { outcome?: string; error?: IDataObject };
			outcomes.push(outcome ?? error?.outcome);
		}
	} finally {
		await service.close();
	}
	return { outcomes, posts };
}

const twice = async (status: number, reply: object) =>
	await outcomesOf(() => ({ status, reply }), [{}, {}]);

const PROCESSED = 'Transaction was not created again: it is being processed';

it.each([
	[200, { success: false, message: PROCESSED }],
	[400, { success: false, message: PROCESSED }],
	[422, { success: 'false', message: PROCESSED }],
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
	expect(await outcomesOf(cutOffFirst, runs)).toEqual({
		outcomes: ['unknown', 'unknown', 'unknown'],
		posts: 2,
	});
});
