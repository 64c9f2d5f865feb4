import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { choicesOf, membersOf } from '../../helpers/properties.mts';

const { properties } = new UnifiedPayments().description;

const pickers = properties.filter(({ name }) => name === 'operation');

const shownFor = (property: INodeProperties, resource: string, operation: string): boolean => {
	const show = property.displayOptions?.show ?? {};
	return (
		(show.resource as string[] | undefined)?.includes(resource) === true &&
		(show.operation as string[] | undefined)?.includes(operation) === true
	);
};

const READ = { concurrency: 5, requestsPerSecond: 0, timeoutSeconds: 30 };
const CHECK = { duplicateKey: '', maxAmount: 0, maxTotal: 0, onDuplicate: 'skip' };
const CREATE = {
	...CHECK,
	...READ,
	approvedFingerprint: '',
	dryRun: false,
	includeInputFields: true,
};

const MODE = { inputMode: 'fields', columns: { mappingMode: 'autoMapInputData', value: null } };

/** Fields that are empty at first. */
const blank = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']));

const AWAITED = {
	...MODE,
	country: 'KE',
	currency: 'auto',
	...blank('amount', 'mobile', 'paymentMethodType', 'orderReference'),
	additionalFields: blank('thirdPartyReference2'),
};
const COLLECTION = { ...AWAITED, callbackUrl: '' };

const LINK = {
	...MODE,
	country: 'KE',
	currency: 'auto',
	...blank('amount', 'businessName', 'itemName', 'orderReference', 'callbackUrl'),
	additionalFields: blank(
		...['currencyCountry', 'email', 'firstName', 'lastName', 'logoBase64', 'logoBinaryProperty'],
		...['phone', 'redirectionUrl'],
	),
};

/**
 * What users save in their workflows: resource, operation, parameter and default. A group is
 * written as an object of its members. Changing a name here breaks saved workflows.
 */
const CONTRACT: Record<string, Record<string, Record<string, unknown>>> = {
	account: {
		diagnose: {
			findSignature: false,
			tryWithLink: false,
			callbackUrl: '',
			options: READ,
		},
	},
	balance: { get: { walletAccount: { mode: 'list', value: '' }, currency: '', options: READ } },
	collection: {
		create: { ...COLLECTION, options: CREATE },
		createAndWait: { ...AWAITED, waitLimitMinutes: 30, options: CREATE },
		check: { ...COLLECTION, options: CHECK },
	},
	country: {
		getAll: {
			...{ table: 'paymentLinks', returnAll: false, limit: 50, simplify: true },
			...{ output: 'simplified', fields: ['country', 'currency', 'supported'] },
		},
	},
	paymentLink: {
		create: { ...LINK, options: { ...CREATE, waitInThisExecution: false } },
		check: { ...LINK, options: { ...CHECK, waitInThisExecution: false } },
		get: { paymentLink: { mode: 'list', value: '' }, options: READ },
		getAll: { returnAll: false, limit: 50, options: READ },
		waitUntilPaid: { waitLimitMinutes: 1440, options: { concurrency: 5, timeoutSeconds: 30 } },
	},
	token: { get: { options: READ } },
	transaction: {
		get: {
			...{ reference: '', type: 'payin', apiVersion: 'v3', simplify: true, output: 'simplified' },
			fields: ['state', 'status', 'amount', 'currency'],
			options: READ,
		},
		waitUntilFinal: {
			...{ reference: '', type: 'payin', apiVersion: 'v3', simplify: true },
			...{ maxWaitSeconds: 120, intervalSeconds: 5 },
			options: { ...READ, onTimeout: 'continue' },
		},
	},
};

const OPERATIONS = Object.entries(CONTRACT).flatMap(([resource, operations]) =>
	Object.keys(operations).map((operation): [string, string] => [resource, operation]),
);

describe("the node's contract", () => {
	it('has these resources and operations', () => {
		const resource = properties.find(({ name }) => name === 'resource');
		expect(choicesOf(resource!).map(({ value }) => value)).toEqual(Object.keys(CONTRACT));
		const found = pickers.flatMap((picker) =>
			choicesOf(picker).map(({ value }) => [picker.displayOptions?.show?.resource?.[0], value]),
		);
		expect(found).toEqual(OPERATIONS);
	});

	it.each(OPERATIONS)('%s.%s has these parameters and defaults', (resource, operation) => {
		const saved = properties
			.filter((property) => shownFor(property, resource, operation))
			.filter(({ type }) => type !== 'notice')
			.map((property) => [
				property.name,
				property.type === 'collection'
					? Object.fromEntries(membersOf(property).map((each) => [each.name, each.default]))
					: property.default,
			]);
		expect(Object.fromEntries(saved)).toEqual(CONTRACT[resource]?.[operation]);
		expect(new Set(saved.map(([name]) => name)).size).toBe(saved.length);
	});
});

describe("the credential's contract", () => {
	/** Made by each test, as n8n does. */
	const fieldsOf = () => new UnifiedPaymentsApi().properties;

	it('has these fields and defaults', () => {
		const fields = fieldsOf().map(({ name, default: value }) => [name, value]);
		expect(Object.fromEntries(fields)).toEqual({
			...blank('baseUrl', 'authUrl', 'clientId', 'sender', 'secretKey', 'apiKey'),
			...blank('previousSecretKey', 'finalRefusals'),
			referenceFields: 'ref, reference',
			linkFields: 'link, payment_link, payment_url, checkout_url, url',
			successStatuses: 'success, successful, completed, paid',
			failureStatuses: 'failed, declined, rejected, cancelled, canceled, expired, reversed',
			advanced: false,
			signatureSource: 'local',
			signatureTemplate: '{client_id}|{sender}|{timestamp}|{salt}|{params}',
			signatureAlgorithm: 'sha256',
			signatureEncoding: 'hex',
			listAuthentication: 'bearer',
			apiKeyHeader: 'X-API-Key',
			mobileFormat: 'international',
			twoDecimals: false,
			allowUnsupportedCountry: false,
			orderInCallbackUrl: true,
		});
	});

	it('demands what a request cannot do without, and hides every secret', () => {
		const namesOf = (fields: INodeProperties[]) =>
			[...new Set(fields.map(({ name }) => name))].sort();
		const all = fieldsOf();
		const required = all.filter((each) => each.required);
		expect(namesOf(required)).toEqual(['baseUrl', 'clientId', 'secretKey', 'sender']);
		const secrets = ['apiKey', 'previousSecretKey', 'secretKey'];
		const isHidden = ({ typeOptions }: INodeProperties) => typeOptions?.password === true;
		expect(namesOf(all.filter(isHidden))).toEqual(secrets);
		const shown = namesOf(all.filter((each) => !isHidden(each)));
		expect(shown.filter((name) => secrets.includes(name))).toEqual([]);
	});

	/** What the dialog shows, and what n8n hands to the node, for a credential as it was saved. */
	const opened = (saved: INodeParameters) => {
		const fields = fieldsOf();
		const values = NodeHelpers.getNodeParameters(fields, saved, true, false, null, null)!;
		const shown = fields.filter(
			(field) => field.type !== 'hidden' && NodeHelpers.displayParameter(values, field, null, null),
		);
		return { values, shown: shown.map(({ name }) => name) };
	};

	const FIRST = ['baseUrl', 'clientId', 'sender', 'secretKey', 'advanced'];

	it('shows four fields to fill in, and the rest behind Advanced', () => {
		expect(opened({}).shown).toEqual(FIRST);
		expect(opened({ advanced: true }).shown).toEqual([
			...[...FIRST, 'authUrl', 'signatureSource', 'signatureTemplate'],
			...['signatureAlgorithm', 'signatureEncoding', 'listAuthentication', 'apiKey'],
			...['apiKeyHeader', 'mobileFormat', 'twoDecimals', 'allowUnsupportedCountry'],
			...['orderInCallbackUrl', 'referenceFields', 'linkFields', 'successStatuses'],
			...['failureStatuses', 'finalRefusals', 'previousSecretKey'],
		]);
	});

	it.each([{}, { advanced: false }, { advanced: true }])(
		'keeps every value that was saved, shown or not: %j',
		(saved) => {
			const values = {
				authUrl: 'https://b.example',
				secretKey: 'k',
				signatureTemplate: '{params}',
				signatureAlgorithm: 'sha512',
				listAuthentication: 'none',
			};
			expect(opened({ ...values, ...saved }).values).toMatchObject(values);
		},
	);

	it('offers the values of the contract', () => {
		const values = Object.fromEntries(
			fieldsOf()
				.filter(({ type }) => type === 'options')
				.map((field) => [field.name, choicesOf(field).map(({ value }) => value)]),
		);
		expect(values).toEqual({
			signatureSource: ['local', 'endpoint'],
			signatureAlgorithm: ['sha256', 'sha384', 'sha512'],
			signatureEncoding: ['hex', 'base64'],
			listAuthentication: ['bearer', 'none'],
			mobileFormat: ['asEntered', 'e164', 'international'],
		});
	});
});

it('every action is in sentence case, without articles, and names the resource', () => {
	for (const picker of pickers) {
		const resource = String(picker.displayOptions?.show?.resource?.[0]);
		const noun = resource.replace(/([A-Z])/g, ' $1').toLowerCase();
		// A person collects a payment; only the API calls that a collection.
		const words = noun === 'collection' ? 'Collect|collection' : noun.replace(/y$/, '(?:y|ies)');
		for (const { action } of choicesOf(picker)) {
			expect(action).toMatch(/^[A-Z][a-z]+(?: (?!(?:an?|the)\b)[a-z]+)+$/);
			expect(action).toMatch(new RegExp(`(?:${words})s?\\b`));
		}
	}
});
