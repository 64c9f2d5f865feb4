import { COUNTRIES } from '../../nodes/UnifiedPayments/countries/data.ts';
import { DEFAULT_RECIPE, type SignatureRecipe } from './protocol/signature.mts';

export interface WalletConfig {
	wallet_account: number;
	currency: string;
	/** Opening balance. */
	balance: number;
}

export interface IntegrationConfig {
	id: string;
	/** What requests must send as `sender`. */
	title: string;
	clientId: string;
	secretKey: string;
	/** When set, status v2 requires it in the header `apiKeyHeader`. */
	apiKey?: string;
	apiKeyHeader?: string;
	signature?: Partial<SignatureRecipe>;
	/** Where the reply of the signing endpoint carries the signature. */
	signatureReply?: 'signature' | 'data.signature' | 'data';
	/** Replaces the ready-made wallets; a currency without a wallet gets one when money arrives. */
	wallets?: readonly WalletConfig[];
	/** Plays an account whose user records are gone, for the "user not found" answers. */
	account?: 'active' | 'userMissing' | 'serviceUserMissing';
}

export interface Integration extends Required<Omit<IntegrationConfig, 'apiKey' | 'signature'>> {
	apiKey: string | null;
	signature: SignatureRecipe;
}

export const CURRENCIES: readonly string[] = [
	...new Set(COUNTRIES.map(({ currency }) => currency)),
];

const OPENING_BALANCE = 10_000;

const defaultWallets = (): WalletConfig[] =>
	CURRENCIES.map((currency, index) => ({
		wallet_account: 1001 + index,
		currency,
		balance: OPENING_BALANCE,
	}));

/** The values never change, so that a credential or a test can contain them. They give access to nothing real. */
export const DEMO_INTEGRATIONS: readonly IntegrationConfig[] = [
	{
		id: 'demo',
		title: 'Demo Shop',
		clientId: 'demo-client',
		secretKey: 'demo-secret-key',
	},
	{
		id: 'second',
		title: 'Second Shop',
		clientId: 'second-client',
		secretKey: 'second-secret-key',
		apiKey: 'second-api-key',
		signature: { algorithm: 'sha512', encoding: 'base64' },
		signatureReply: 'data.signature',
	},
];

export const resolveIntegration = (config: IntegrationConfig): Integration => ({
	id: config.id,
	title: config.title,
	clientId: config.clientId,
	secretKey: config.secretKey,
	apiKey: config.apiKey ?? null,
	apiKeyHeader: config.apiKeyHeader ?? 'X-API-Key',
	signature: { ...DEFAULT_RECIPE, ...config.signature },
	signatureReply: config.signatureReply ?? 'signature',
	wallets: config.wallets ?? defaultWallets(),
	account: config.account ?? 'active',
});
