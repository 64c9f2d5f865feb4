import { prng } from './prng.mts';
import {
	faultPlanSchema,
	faultRuleSchema,
	type Fault,
	type FaultPlan,
	type FaultRule,
	type FaultRuleInput,
} from './rule.mts';

interface Target {
	name: string;
	path: string;
}

interface Armed {
	rule: FaultRule;
	draw: () => number;
}

/** Decides which fault, if any, hits a request: the first rule that applies, otherwise the plan. */
export class Faults {
	private armed: Armed[] = [];
	private current: { plan: FaultPlan; draw: () => number } | null = null;
	private count = 0;

	add(input: FaultRuleInput): FaultRule {
		const rule: FaultRule = {
			...faultRuleSchema.parse(input),
			id: `F${++this.count}`,
			seen: 0,
			hits: 0,
		};
		this.armed.push({ rule, draw: prng(rule.seed ?? this.count) });
		return { ...rule };
	}

	/** Replaces the plan; null ends it. */
	plan(plan: FaultPlan | null): void {
		this.current =
			plan === null ? null : { plan: faultPlanSchema.parse(plan), draw: prng(plan.seed) };
	}

	/** One rule, or all rules and the plan. False when there is no such rule. */
	clear(id?: string): boolean {
		const kept = id === undefined ? [] : this.armed.filter(({ rule }) => rule.id !== id);
		const found = id === undefined || kept.length < this.armed.length;
		this.armed = kept;
		if (id === undefined) this.current = null;
		return found;
	}

	list(): FaultRule[] {
		return this.armed.map(({ rule }) => ({ ...rule }));
	}

	pick(target: Target): Fault | null {
		for (const { rule, draw } of this.armed) {
			if (!aims(rule.route, target)) continue;
			rule.seen++;
			if (!isHit(rule, draw)) continue;
			rule.hits++;
			return rule;
		}
		return this.drawFromPlan(target);
	}

	private drawFromPlan(target: Target): Fault | null {
		if (this.current === null) return null;
		const { plan, draw } = this.current;
		if (plan.routes !== undefined && !plan.routes.some((route) => aims(route, target))) return null;
		// Always two draws per request, so that the nth request gets the same fault whatever happened before.
		const chance = draw();
		const choice = draw();
		if (chance >= plan.probability) return null;
		return plan.faults[Math.floor(choice * plan.faults.length)] ?? null;
	}
}

const aims = (route: string | undefined, { name, path }: Target) =>
	route === undefined || route === '*' || route === name || route === path;

function isHit(rule: FaultRule, draw: () => number): boolean {
	if (rule.nth !== undefined && rule.seen !== rule.nth) return false;
	if (rule.first !== undefined && rule.seen > rule.first) return false;
	return rule.probability === undefined || draw() < rule.probability;
}
