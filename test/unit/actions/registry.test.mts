import {
	properties,
	RESOURCES,
	RESOURCES_WITH_CREDENTIAL,
} from '../../../nodes/UnifiedPayments/actions/registry.ts';

it('offers every operation of every resource, by names that are used once', () => {
	const pickers = properties.filter(({ name }) => name === 'operation');
	expect(pickers).toHaveLength(7);
	const offered = pickers.map(({ displayOptions, options }) => [
		displayOptions?.show?.resource?.[0],
		options,
	]);
	expect(offered).toEqual(
		RESOURCES.map(({ option, operations }) => [
			option.value,
			operations.map((operation) => operation.option),
		]),
	);
	for (const { operations } of RESOURCES) {
		const names = operations.map(({ option }) => option.value);
		expect(new Set(names).size).toBe(names.length);
	}
});

it('asks for the credential wherever something is sent', () => {
	expect([...RESOURCES_WITH_CREDENTIAL].sort()).toEqual([
		'account',
		'balance',
		'collection',
		'paymentLink',
		'token',
		'transaction',
	]);
});
