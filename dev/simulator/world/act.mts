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
		case 'writeBack':
			return operator.writeBack(event);
		case 'merge':
			return operator.merge(event);
		case 'rotate':
			world.story.say('The account gets a new secret key.');
			return world.rotate();
		case 'approve':
			return void operator.approve(event);
		case 'cancel':
			return world.n8n.cancelAfter(event.after, ({ id }) => world.runs.has(id));
		case 'kill':
			return world.n8n.killAfter(event.after);
		case 'pay':
			return customers.pay(event);
		case 'forge':
			return stranger.forge(event);
		case 'forgeMark':
			return void stranger.forgeMark(event);
		case 'misdirect':
			return stranger.misdirect(event);
		case 'replay':
			return stranger.replay(event);
	}
}
