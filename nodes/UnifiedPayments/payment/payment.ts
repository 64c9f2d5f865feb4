/** What a row asks for, however it is presented. */
export interface PaymentValues {
	kind: 'link' | 'collection';
	/** The user's own name for it; null when there is none. */
	orderReference: string | null;
	/** The same as a collection is sent with it, by which the service may be asked; null for a link. */
	ownReference: string | null;
	/** Whoever pays: number, address, names, as far as they are known. */
	payer: readonly string[];
	/** The number that a collection is asked of, as it is sent; null for a link. */
	mobile: string | null;
	item: string;
	/** An exact decimal with at most two decimals. */
	amount: string;
	currency: string;
	countryId: number;
}

/** What makes two rows the same payment. */
export interface PaymentKey {
	/** A hash; the same for the same payment of the same account and operation. */
	key: string;
	by: 'duplicateKey' | 'orderReference' | 'values';
	/** A hash of what is asked of whom, where that is no part of the key; null otherwise. */
	values: string | null;
}

/** A payment that this package asks for. Made once, before it is sent; it holds no secret. */
export interface Payment extends PaymentValues {
	/** Base URL and client ID, however the URL was spelt. */
	account: readonly [address: string, clientId: string];
	key: PaymentKey;
	/** True when the order may have several payments: then the order alone names none of them. */
	isOneOfSeveral: boolean;
	/** The mark in its callback URL; null when it has none. */
	mark: string | null;
	/** The callback URL exactly as it is sent; null when it has none. */
	callbackUrl: string | null;
	/** True when an earlier run sent it: then its mark may have been made in another execution. */
	sentEarlier: boolean;
	/** What the service called it in the reply to this very request. */
	reference: string | null;
}
