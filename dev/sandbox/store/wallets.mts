import type { Integration } from '../integrations.mts';
import type { Wallet } from '../model.mts';
import { fromMinor, toMinor } from './money.mts';

interface Account {
	wallet_account: number;
	currency: string;
	minor: number;
}

export class Wallets {
	private readonly byIntegration = new Map<string, Account[]>();

	constructor(private readonly integrations: readonly Integration[]) {
		this.reset();
	}

	reset(): void {
		for (const { id, wallets } of this.integrations) {
			this.byIntegration.set(
				id,
				wallets.map(({ wallet_account, currency, balance }) => ({
					wallet_account,
					currency,
					minor: toMinor(balance),
				})),
			);
		}
	}

	list(): Wallet[] {
		return [...this.byIntegration].flatMap(([integration, accounts]) =>
			accounts.map((account) => view(integration, account)),
		);
	}

	of(integration: string): Wallet[] {
		return (this.byIntegration.get(integration) ?? []).map((one) => view(integration, one));
	}

	balance(integration: string, currency: string): number {
		return fromMinor(this.account(integration, currency).minor);
	}

	/** Puts back a balance that was kept; an integration that is gone has no wallet. */
	restore({ integration, currency, wallet_account, balance }: Wallet): void {
		const accounts = this.byIntegration.get(integration);
		if (accounts === undefined) return;
		const account = { wallet_account, currency, minor: toMinor(balance) };
		const others = accounts.filter((one) => one.wallet_account !== wallet_account);
		this.byIntegration.set(
			integration,
			[...others, account].sort((one, two) => one.wallet_account - two.wallet_account),
		);
	}

	/** Positive amounts come in, negative ones go out. */
	move(integration: string, currency: string, amount: number): Wallet {
		const account = this.account(integration, currency);
		account.minor += toMinor(amount);
		return view(integration, account);
	}

	private account(integration: string, currency: string): Account {
		const accounts = this.byIntegration.get(integration) ?? [];
		const found = accounts.find((one) => one.currency === currency);
		if (found !== undefined) return found;
		const highest = Math.max(1000, ...accounts.map(({ wallet_account }) => wallet_account));
		const opened = { wallet_account: highest + 1, currency, minor: 0 };
		this.byIntegration.set(integration, [...accounts, opened]);
		return opened;
	}
}

const view = (integration: string, { wallet_account, currency, minor }: Account): Wallet => ({
	integration,
	wallet_account,
	currency,
	balance: fromMinor(minor),
});
