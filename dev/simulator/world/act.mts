import type { Plan } from '../plan/plan.mts';
import type { Customers } from './customers.mts';
import type { Operator } from './operator.mts';
import type { Stranger } from './stranger.mts';
import type { World } from './world.mts';

export interface People {
	operator: Operator;
	customers: Customers;
	stranger: Stranger;
}

/** Does what the plan says. */
export function act(
	event: Plan['events'][number],
	{ operator, customers, stranger }: People,
	world: World,
): void {
	switch (event.kind) {
		case 'run':
			return operator.run(event);
		case 'edit':
			return operator.edit(event);
		case 'merge':
			return operator.merge(event);
		case 'rotate':
			world.story.say('The operator changes the callback token.');
			return world.rotateToken();
		case 'approve':
			return void operator.approve(event);
		case 'cancel':
			return world.n8n.cancelAfter(event.after, ({ id }) => world.runs.has(id));
		case 'upload':
			return world.desk.upload(event.upload);
		case 'download':
			return void world.desk.download(event.upload);
		case 'kill':
			return world.n8n.killAfter(event.after);
		case 'pay':
			return customers.pay(event);
		case 'forge':
			return stranger.forge(event);
		case 'misdirect':
			return stranger.misdirect(event);
		case 'replay':
			return stranger.replay(event);
	}
}
