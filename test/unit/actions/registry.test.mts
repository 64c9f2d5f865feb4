import {
	findOperation,
	properties,
	RESOURCES_WITH_CREDENTIAL,
} from '../../../nodes/UnifiedPayments/actions/registry.ts';

describe('findOperation', () => {
	it('finds what the editor offers', () => {
		const pickers = properties.filter(({ name }) => name === 'operation');
		expect(pickers).toHaveLength(6);
		for (const { displayOptions, options } of pickers) {
			const resource = String(displayOptions?.show?.resource?.[0]);
			for (const option of options as Array<{ value: string }>) {
				expect(findOperation(resource, option.value)?.option).toBe(option);
			}
		}
	});

	it.each([
		['nothing', 'get'],
		['balance', 'nothing'],
		['__proto__', 'toString'],
		['balance', 'constructor'],
		['', ''],
	])('has no operation %j %j', (resource, operation) => {
		expect(findOperation(resource, operation)).toBeUndefined();
	});
});

it('asks for the credential wherever something is sent', () => {
	expect([...RESOURCES_WITH_CREDENTIAL].sort()).toEqual([
		'balance',
		'collection',
		'paymentLink',
		'token',
		'transaction',
	]);
});
