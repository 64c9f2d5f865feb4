import type { Host } from '../../host/n8n/index.mts';
import { install } from './measure.mts';
import type { Run, Runner, RunRequest } from './measure.mts';
import type { Options } from './options.mts';
import type { Peer } from './peers.mts';
import type { Service } from './serviceClient.mts';

const WARM_UP_ROWS = 100;
const HISTORY_STEP = 10_000;

interface Ready {
	peer: Peer;
	run: Runner;
}

interface Rounds {
	/** One for each peer and round, by peer. */
	compared: Run[];
	/** Of columns mode, with more and more rows. */
	growing: Run[];
}

/** What is run on one n8n, one after another. */
export class Session {
	/** Every run so far. */
	readonly runs: Run[] = [];

	private peers: Ready[] = [];

	constructor(
		private readonly host: Host,
		private readonly service: Service,
		private readonly options: Options,
		private readonly say: (line: string) => void,
	) {}

	async warmUp(peers: readonly Peer[]): Promise<void> {
		for (const peer of peers) this.peers.push(await this.install(peer));
		for (const ready of this.peers) await this.run('warm-up', ready, { rows: WARM_UP_ROWS });
	}

	async compare(): Promise<Rounds> {
		const { rounds, growth } = this.options;
		const compared: Run[][] = this.peers.map(() => []);
		const growing: Run[] = [];
		for (let round = 0; round < rounds; round++) {
			const heading = `round ${round + 1}/${rounds}`;
			for (const index of rotated(this.peers.length, round, rounds)) {
				const ready = this.peers[index]!;
				compared[index]!.push(await this.run(heading, ready, { rows: ready.peer.rows }));
			}
			growing.push(...(await this.grow(heading, growth)));
		}
		return { compared: compared.flat(), growing };
	}

	/** Columns mode in an n8n that gave back its memory before each run. */
	async swell(): Promise<Run[]> {
		return await this.grow('memory', this.options.growth, { shrink: true });
	}

	/** The same rows before and after the node has sent many others, which it remembers. */
	async remember(): Promise<Run[]> {
		const { rows, history } = this.options;
		const node = history > 0 ? await this.columns() : undefined;
		if (node === undefined) return [];
		const before = await this.run('nothing sent before', node, { rows });
		for (let sent = rows; sent < history; sent += HISTORY_STEP) {
			await this.run('filling', node, { rows: Math.min(HISTORY_STEP, history - sent) });
		}
		return [before, await this.run(`${history} sent before`, node, { rows })];
	}

	private async grow(heading: string, sizes: readonly number[], how = {}): Promise<Run[]> {
		const runs: Run[] = [];
		for (const rows of sizes) {
			const node = await this.columns();
			if (node) runs.push(await this.run(heading, node, { rows, ...how }));
		}
		return runs;
	}

	/** Columns mode in a node of its own, which remembers no rows yet. */
	private async columns(): Promise<Ready | undefined> {
		const peer = this.peers.find((each) => each.peer.name === 'columns')?.peer;
		return peer && (await this.install(peer));
	}

	private async install(peer: Peer): Promise<Ready> {
		return { peer, run: await install(this.host, this.service, peer) };
	}

	private async run(heading: string, { peer, run }: Ready, request: RunRequest): Promise<Run> {
		const result = await run(request);
		this.runs.push(result);
		const { problems, rowsPerSecond, rows } = result;
		const end =
			problems.length > 0 ? `WRONG: ${problems.join('; ')}` : `${rowsPerSecond.toFixed(0)} rows/s`;
		this.say(`  ${heading}  ${title(peer)}  ${rows} rows  ${end}`);
		return result;
	}
}

export const title = ({ label, lanes }: Pick<Peer, 'label' | 'lanes'>) =>
	lanes === null ? label : `${label}, ${lanes} ${lanes === 1 ? 'lane' : 'lanes'}`;

/** Another one is first in each round: what else the machine does must not always hit the same. */
function rotated(count: number, round: number, rounds: number): number[] {
	const start = Math.floor((round * count) / rounds);
	return Array.from({ length: count }, (_, index) => (start + index) % count);
}
