/**
 * A bulk payment node as it is often written, and the control of our figures: what it survives
 * proves nothing. It sends again whatever went wrong, remembers nothing, knows "worked" and
 * "failed" only, reads the logo for every row, and shows what it sent beside the error.
 */
const TRIES = 3;

const choice = (name, ...values) => ({
	displayName: name,
	name,
	type: 'options',
	options: values.map((value) => ({ name: value, value })),
	default: values[0],
});

class NaivePayments {
	description = {
		displayName: 'Naive Payments',
		name: 'naivePayments',
		group: ['transform'],
		version: 1,
		description: 'Control for tests',
		defaults: { name: 'Naive Payments' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'unifiedPaymentsApi', required: true }],
		properties: [
			{ displayName: 'Path', name: 'path', type: 'string', default: '' },
			{ displayName: 'Body', name: 'body', type: 'json', default: '{}' },
			{ displayName: 'Logo', name: 'logoBinaryProperty', type: 'string', default: '' },
			{ displayName: 'Timeout', name: 'timeout', type: 'number', default: 30000 },
			choice('order', 'oneByOne', 'allAtOnce'),
			choice('client', 'ofTheHost', 'itsOwn'),
		],
	};

	async execute() {
		const { baseUrl } = await this.getCredentials('unifiedPaymentsApi');
		const url = `${baseUrl}${this.getNodeParameter('path', 0)}`;
		const rows = this.getInputData().map((_, row) => row);

		const post = async (body) => {
			if (this.getNodeParameter('client', 0) === 'itsOwn') {
				const reply = await fetch(url, { method: 'POST', body: JSON.stringify({ params: body }) });
				return await reply.json();
			}
			const timeout = this.getNodeParameter('timeout', 0);
			const options = { method: 'POST', url, body, json: true, timeout };
			return await this.helpers.httpRequestWithAuthentication.call(
				this,
				'unifiedPaymentsApi',
				options,
			);
		};

		const bodyOf = async (row) => {
			const given = this.getNodeParameter('body', row);
			const body = typeof given === 'string' ? JSON.parse(given) : { ...given };
			const logo = this.getNodeParameter('logoBinaryProperty', row);
			if (logo) body.logo = (await this.helpers.getBinaryDataBuffer(row, logo)).toString('base64');
			return body;
		};

		const one = async (row, body) => {
			const pairedItem = { item: row };
			for (let tries = 1; ; tries++) {
				try {
					const reply = await post(body);
					if (reply.success !== true) throw new Error(reply.message);
					return { json: reply, pairedItem };
				} catch (error) {
					if (tries < TRIES) continue;
					if (!this.continueOnFail()) throw error;
					return { json: { error: error.message, sent: body }, pairedItem };
				}
			}
		};

		if (this.getNodeParameter('order', 0) === 'allAtOnce') {
			const bodies = await Promise.all(rows.map(bodyOf));
			return [await Promise.all(rows.map((row) => one(row, bodies[row])))];
		}
		const items = [];
		for (const row of rows) items.push(await one(row, await bodyOf(row)));
		return [items];
	}
}

module.exports = { NaivePayments };
