import type { Random } from '../random.mts';
import type { WireReply } from '../engine/wire.mts';

export type EndpointName = 'create' | 'list' | 'status' | 'token';

/** What goes wrong with one request: the so-manyth of an endpoint. */
export interface Fault {
	endpoint: EndpointName;
	nth: number;
	kind: FaultKind;
}

/** Whether the service does what it is asked, and what is made of its reply. */
interface Play {
	processes: boolean;
	/** Not a byte arrives. */
	connects?: boolean;
	slow?: number;
	reply: (real: WireReply, context: { signature: string }) => WireReply;
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

/** The faults of a network and of a service, as they are seen from outside. */
export const PLAYS = {
	refused: {
		processes: false,
		connects: false,
		reply: (real) => real,
		says: 'refuses the connection',
	},
	lostRequest: { processes: false, reply: () => ({ kind: 'reset' }), says: 'cuts the connection' },
	lostReply: {
		processes: true,
		reply: () => ({ kind: 'reset' }),
		says: 'cuts the connection after it took it',
	},
	silence: {
		processes: true,
		reply: () => ({ kind: 'silence' }),
		says: 'takes it and never answers',
	},
	slow: { processes: true, slow: 12_000, reply: (real) => real, says: 'is slow' },
	tooMany: {
		processes: false,
		reply: () => json(429, no('Too many requests'), { 'retry-after': '3' }),
		says: 'says that these are too many requests',
	},
	broken: { processes: false, reply: () => json(500, no('Server error')), says: 'answers 500' },
	brokenAfter: {
		processes: true,
		reply: () => text(502, '<html>Bad gateway</html>'),
		says: 'takes it and answers 502',
	},
	cut: {
		processes: true,
		reply: (real) => (real.kind === 'reply' ? { ...real, cut: true } : real),
		says: 'takes it and cuts its reply',
	},
	empty: { processes: true, reply: () => text(200, ''), says: 'takes it and answers nothing' },
	half: {
		processes: true,
		reply: () => text(200, '{"success": tr'),
		says: 'takes it and answers half a sentence',
	},
	elsewhere: {
		processes: false,
		reply: () => ({
			kind: 'reply',
			status: 307,
			headers: { location: 'https://elsewhere.example/' },
			body: '',
		}),
		says: 'sends it elsewhere',
	},
	declined: {
		processes: false,
		reply: () => json(200, no('Payment link was not created.')),
		says: 'declines it',
	},
	declinedBadly: {
		processes: false,
		reply: () => json(422, no('The amount is not allowed')),
		says: 'declines it with 422',
	},
	notAuthorized: {
		processes: false,
		reply: () => json(401, no('Request was not verified.')),
		says: 'answers 401',
	},
	noButThere: {
		processes: true,
		reply: () => json(200, no('Transaction was not created again: it is being processed')),
		says: 'takes it and says that it is being processed',
	},
	noButExists: {
		processes: true,
		reply: () => json(422, no('Reference exists already')),
		says: 'takes it and says that it exists',
	},
	conflict: {
		processes: true,
		reply: () => json(409, no('Not now')),
		says: 'takes it and answers 409',
	},
	echo: {
		processes: true,
		reply: (real, { signature }) =>
			withData(real, { checksum: signature }, `Verified ${signature}`),
		says: 'repeats the signature in its reply',
	},
	otherAmount: {
		processes: true,
		reply: (real) => withData(real, { amount: '1.11' }),
		says: 'answers with another amount',
	},
} satisfies Record<string, Play>;

export type FaultKind = keyof typeof PLAYS;

export const playOf = (kind: FaultKind): Play => PLAYS[kind];

const KINDS = Object.keys(PLAYS) as FaultKind[];
const ONLY_CREATES: readonly FaultKind[] = [
	...([
		'declined',
		'declinedBadly',
		'noButThere',
		'noButExists',
		'conflict',
		'otherAmount',
	] as const),
	...(['notAuthorized', 'elsewhere'] as const),
];

const ENDPOINTS = ['create', 'list', 'status', 'token'] as const;

const kindsFor = (endpoint: EndpointName): FaultKind[] =>
	KINDS.filter((kind) => endpoint === 'create' || !ONLY_CREATES.includes(kind));

/** Single faults, and outages: the same fault for several requests one after the other. */
export function drawFaults(
	random: Random,
	most: Record<EndpointName, number>,
	share: number,
): Fault[] {
	const faults = new Map<string, Fault>();
	const add = (fault: Fault) => faults.set(`${fault.endpoint} ${fault.nth}`, fault);
	for (const endpoint of ENDPOINTS) {
		for (let nth = 1; nth <= most[endpoint]; nth++) {
			if (random.chance(share)) add({ endpoint, nth, kind: random.pick(kindsFor(endpoint)) });
		}
	}
	for (let outages = random.pick([0, 0, 1, 2]); outages > 0; outages--) {
		const endpoint = random.pick(ENDPOINTS);
		const kind = random.pick(kindsFor(endpoint));
		const from = random.whole(1, Math.ceil(most[endpoint] / 4));
		for (let nth = from; nth < from + random.whole(2, 10); nth++) add({ endpoint, nth, kind });
	}
	return [...faults.values()];
}
