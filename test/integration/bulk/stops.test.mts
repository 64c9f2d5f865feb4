import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode } from '../../../dev/host/engine/index.mts';
import { NaiveCredential, NaivePayments } from '../../helpers/naive.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { saidBy, tally } from '../../helpers/soak/audit.mts';
import { COLLECTIONS_PATH, forNaive, goodSheet, inFields } from '../../helpers/soak/sheet.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startStranger, startWire, type Received } from '../../helpers/wire.mts';

const ROWS = 100;
const NAIVE_ROWS = 2;
const ENVELOPE = ['client_id', 'sender', 'timestamp', 'salt', 'signature', 'params'];

const rows = goodSheet(ROWS, 1);

/** One envelope, with the fields of the row in it and not another envelope. */
const isSealedOnce = ({ json: body }: Received): boolean => {
	const { params, ...rest } = body as { params: IDataObject };
	const keys = [...Object.keys(rest), 'params'];
	return keys.join() === ENVELOPE.join() && 'mobile' in params && !('params' in params);
};

const ours = async (url: string, lanes: number) =>
	await runPayments(inFields({ concurrency: lanes, timeoutSeconds: 10 }), {
		credential: demoCredential(url),
		items: rows,
		onError: 'continueRegularOutput',
	});

const naive = async (url: string, credentialType = new UnifiedPaymentsApi()) =>
	await runNode(new NaivePayments(), forNaive(), {
		items: rows.slice(0, NAIVE_ROWS),
		credentials: { unifiedPaymentsApi: demoCredential(url) },
		credentialTypes: [credentialType],
		onError: 'continueRegularOutput',
	});

const opened = closing();

describe.each([401, 403])('a service that answers %i', (status) => {
	const said = { success: false, message: 'Who?' };
	const answer = async () => opened(await startWire((_, response) => json(response, status, said)));

	it.each([1, 20])('is asked once by each of %i lanes, with one envelope', async (lanes) => {
		const { url, received } = await answer();
		const result = await ours(url, lanes);
		const creates = received.filter(({ path }) => path === COLLECTIONS_PATH);
		expect(creates.length).toBeGreaterThan(0);
		expect(creates.length).toBeLessThanOrEqual(lanes);
		expect(creates.every(isSealedOnce)).toBe(true);
		expect(tally(saidBy(result.items))).toEqual({
			unknown: creates.length,
			not_sent: ROWS - creates.length,
		});
	});
});

it.each([301, 302, 303, 307, 308])(
	'of a service that redirects with %i, not a byte reaches the other',
	async (status) => {
		const other = opened(await startStranger());
		const wire = opened(
			await startWire(
				(_, response) => void response.writeHead(status, { location: other.url }).end(),
			),
		);
		const lanes = 20;
		const result = await ours(wire.url, lanes);
		expect(wire.received.length).toBeLessThanOrEqual(lanes);
		expect(tally(saidBy(result.items))).toEqual({
			unknown: wire.received.length,
			not_sent: ROWS - wire.received.length,
		});
		// Our credential keeps other nodes from it as well.
		await naive(wire.url);
		expect(other.seen()).toEqual({ connections: 0, bytes: 0 });
		// The control: these two keep the method and the body, so the host hands both over.
		if (status < 307) return;
		await naive(wire.url, new NaiveCredential());
		expect(other.seen().bytes).toBeGreaterThan(0);
	},
);
