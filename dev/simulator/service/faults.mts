import type { Random } from '../random.mts';
import type { WireReply } from '../engine/wire.mts';

export const ENDPOINT_NAMES = ['create', 'list', 'status', 'token', 'sign'] as const;

export type EndpointName = (typeof ENDPOINT_NAMES)[number];

/** What goes wrong with one request: the so-manyth of an endpoint. */
export interface Fault {
	endpoint: EndpointName;
	nth: number;
	kind: FaultKind;
}

/** What a fault may put into a reply. */
interface Context {
	signature: string;
	nth: number;
	isLink: boolean;
	/** What a reply about another payment says, when the service has one. */
	other: Record<string, unknown> | null;
}

/** Whether the service does what it is asked, and what is made of its reply. */
interface Play {
	processes: boolean;
	/** Not a byte arrives. */
	connects?: boolean;
	slow?: number;
	reply: (real: WireReply, context: Context) => WireReply;
	/** Whether its message is a final refusal: of the specification, or because the account's owner has entered it. */
	isNamed?: 'always' | 'whenTaught';
	onlyCreates?: boolean;
	/** What a row may be told as whose create it hits: each must occur when many worlds are played. */
	ends: readonly string[];
	/** In the words of the story. */
	says: string;
}

const json = (status: number, body: unknown, headers = {}): WireReply => ({
	kind: 'reply',
	status,
	headers,
	body: JSON.stringify(body),
});
const text = (status: number, body: string): WireReply => ({ kind: 'reply', status, body });
const no = (message: string) => ({ success: false, message });

const withData = (real: WireReply, more: Record<string, unknown>, message?: string): WireReply => {
	if (real.kind !== 'reply') return real;
	const body = JSON.parse(real.body) as { message?: string; data?: unknown };
	const data = typeof body.data === 'object' && !Array.isArray(body.data) ? body.data : {};
	return {
		...real,
		body: JSON.stringify({ ...body, message: message ?? body.message, data: { ...data, ...more } }),
	};
};

/** What an account's owner enters under Final Refusals. */
export const OWN_REFUSAL = 'The amount is not allowed';

/** A no that no list has: the payment may be there, and here it is. */
const NOES = [
	'Transaction was not created again: it is being processed',
	'Reference exists already',
	'Payment went through',
	'Malipo yamepokelewa',
	'Not now',
	`${OWN_REFUSAL} twice`,
] as const;
const NO_STATUSES = [200, 200, 409, 422, 400] as const;

/** The faults of a network and of a service, as they are seen from outside. */
export const PLAYS = {
	refused: {
		processes: false,
		connects: false,
		reply: (real) => real,
		ends: ['accepted', 'not_sent'],
		says: 'refuses the connection',
	},
	lostRequest: {
		processes: false,
		reply: () => ({ kind: 'reset' }),
		ends: ['unknown'],
		says: 'cuts the connection',
	},
	lostReply: {
		processes: true,
		reply: () => ({ kind: 'reset' }),
		ends: ['unknown', 'accepted'],
		says: 'cuts the connection after it took it',
	},
	silence: {
		processes: true,
		reply: () => ({ kind: 'silence' }),
		ends: ['unknown', 'accepted'],
		says: 'takes it and never answers',
	},
	slow: {
		processes: true,
		slow: 12_000,
		reply: (real) => real,
		ends: ['accepted'],
		says: 'is slow',
	},
	tooMany: {
		processes: false,
		reply: () => json(429, no('Too many requests'), { 'retry-after': '3' }),
		ends: ['unknown'],
		says: 'says that these are too many requests',
	},
	broken: {
		processes: false,
		reply: () => json(500, no('Server error')),
		ends: ['unknown'],
		says: 'answers 500',
	},
	brokenAfter: {
		processes: true,
		reply: () => text(502, '<html>Bad gateway</html>'),
		ends: ['unknown', 'accepted'],
		says: 'takes it and answers 502',
	},
	cut: {
		processes: true,
		reply: (real) => (real.kind === 'reply' ? { ...real, cut: true } : real),
		ends: ['unknown', 'accepted'],
		says: 'takes it and cuts its reply',
	},
	empty: {
		processes: true,
		reply: () => text(200, ''),
		ends: ['unknown', 'accepted'],
		says: 'takes it and answers nothing',
	},
	half: {
		processes: true,
		reply: () => text(200, '{"success": tr'),
		ends: ['unknown', 'accepted'],
		says: 'takes it and answers half a sentence',
	},
	elsewhere: {
		processes: false,
		onlyCreates: true,
		reply: () => ({
			kind: 'reply',
			status: 307,
			headers: { location: 'https://elsewhere.example/' },
			body: '',
		}),
		ends: ['unknown'],
		says: 'sends it elsewhere',
	},
	declined: {
		processes: false,
		onlyCreates: true,
		isNamed: 'always',
		reply: (_, { isLink }) =>
			json(200, no(isLink ? 'Payment link was not created.' : 'Transaction was not created!')),
		ends: ['rejected'],
		says: 'declines it',
	},
	declinedInOwnWords: {
		processes: false,
		onlyCreates: true,
		isNamed: 'whenTaught',
		reply: () => json(422, no(OWN_REFUSAL)),
		ends: ['unknown', 'rejected'],
		says: 'declines it with 422, in words of its own',
	},
	notAuthorized: {
		processes: false,
		onlyCreates: true,
		isNamed: 'always',
		reply: (_, { isLink }) =>
			json(401, no(isLink ? 'Entity integration record not found.' : 'Request was not verified.')),
		ends: ['rejected'],
		says: 'answers 401',
	},
	noButTaken: {
		processes: true,
		onlyCreates: true,
		reply: (_, { nth }) =>
			json(NO_STATUSES[nth % NO_STATUSES.length] ?? 200, no(NOES[nth % NOES.length] ?? '')),
		ends: ['unknown', 'accepted'],
		says: 'takes it and says no',
	},
	echo: {
		processes: true,
		reply: (real, { signature }) =>
			withData(real, { checksum: signature }, `Verified ${signature}`),
		ends: ['accepted'],
		says: 'repeats the signature in its reply',
	},
	aboutAnother: {
		processes: true,
		onlyCreates: true,
		reply: (real, { other }) => (other === null ? real : withData(real, other)),
		ends: ['unknown', 'accepted'],
		says: 'takes it and answers about another payment',
	},
} satisfies Record<string, Play>;

export type FaultKind = keyof typeof PLAYS;

export const playOf = (kind: FaultKind): Play => PLAYS[kind];

export const FAULT_KINDS = Object.keys(PLAYS) as FaultKind[];

export const kindsFor = (endpoint: EndpointName): FaultKind[] =>
	FAULT_KINDS.filter((kind) => endpoint === 'create' || playOf(kind).onlyCreates !== true);

/** Of so many requests to each endpoint, something may go wrong with. */
const MOST: Record<EndpointName, number> = {
	create: 40,
	list: 20,
	status: 60,
	token: 20,
	sign: 40,
};

/** Single faults, and outages: the same fault for several requests one after the other. */
export function drawFaults(
	random: Random,
	share: number,
	isPlayed: (kind: FaultKind) => boolean,
): Fault[] {
	const faults = new Map<string, Fault>();
	const add = (fault: Fault) => faults.set(`${fault.endpoint} ${fault.nth}`, fault);
	for (const endpoint of ENDPOINT_NAMES) {
		const kinds = kindsFor(endpoint).filter(isPlayed);
		if (kinds.length === 0) continue;
		for (let nth = 1; nth <= MOST[endpoint]; nth++) {
			if (random.chance(share)) add({ endpoint, nth, kind: random.pick(kinds) });
		}
		if (!random.chance(0.25)) continue;
		const kind = random.pick(kinds);
		const from = random.whole(1, Math.ceil(MOST[endpoint] / 8));
		for (let nth = from; nth < from + random.whole(2, 10); nth++) add({ endpoint, nth, kind });
	}
	return [...faults.values()];
}
