import { getBalance } from './balance.mts';
import { createCollection } from './collections.mts';
import type { Endpoint } from './endpoint.mts';
import { createPaymentLink, listPaymentLinks } from './paymentLinks.mts';
import { serviceSignature } from './serviceSignature.mts';
import { statusV2, statusV3 } from './status.mts';
import { getToken } from './token.mts';

/** Every endpoint of the specification. */
export const ENDPOINTS: readonly Endpoint[] = [
	getToken,
	createPaymentLink,
	listPaymentLinks,
	createCollection,
	statusV2,
	statusV3,
	getBalance,
	serviceSignature,
];
