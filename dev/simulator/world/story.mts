/** What happened, in plain sentences, each with its time. */
export class Story {
	readonly lines: string[] = [];

	constructor(private readonly now: () => number) {}

	say(sentence: string): void {
		this.lines.push(`${timeOf(this.now())} ${sentence}`);
	}
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** "Mon 2 09:14:07". */
function timeOf(time: number): string {
	const date = new Date(time);
	return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${date.toISOString().slice(11, 19)}`;
}
