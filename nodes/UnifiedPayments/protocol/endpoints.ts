/** Every path of the specification, relative to the base URL (the token's: to the auth URL). */
export const ENDPOINTS = {
	login: '/api/integration/get-token',
	createPaymentLink: '/api/v3/payment-link-api/create',
	listPaymentLinks: '/api/payment-link-api/list',
	createCollection: '/api/v3/service-unified-collections',
	statusV2: '/api/v2/get-unified-transaction-status',
	statusV3: '/api/v3/get-unified-transaction-status',
	balance: '/api/v3/get-unified-balance',
	signature: '/api/service-signature',
} as const;
