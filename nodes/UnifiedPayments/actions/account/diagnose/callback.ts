import { bad, good, type Field } from '../../../fields/field';
import { isRecord, parseJson, type Json } from '../../../protocol/parse';
import { finding, namesIn, type Finding } from './finding';

/** An item of the trigger. */
export const callbackField: Field<Json | undefined> = {
	property: {
		displayName: 'Callback',
		name: 'callback',
		type: 'json',
		default: '',
		placeholder: 'e.g. {{ $json }}',
		description:
			'The whole item of a Unified Payments Trigger, to check what the service sends in a callback',
	},
	blank: { value: undefined },
	read(given) {
		const item = typeof given === 'string' ? parseJson(given) : given;
		return isRecord(item) && isRecord(item.callback)
			? good(item)
			: bad(
					'which is not an item of the trigger',
					"Put this node behind a Unified Payments Trigger, and write {{ $json }} into 'Callback'; or leave it empty.",
				);
	},
};

const bodyIn = ({ callback }: Json): Json | null =>
	isRecord(callback) && isRecord(callback.body) ? callback.body : null;

const isConfirmed = ({ verified }: Json): boolean => verified === 'confirmed';

/** What the service called back about a payment that it has for certain. */
export function confirmedBody(item: Json | undefined): Json[] {
	const body = item !== undefined && isConfirmed(item) ? bodyIn(item) : null;
	return body === null ? [] : [body];
}

/** What was rejected may come from anybody, so it never speaks against the service. */
export function ofCallback(item: Json | undefined): Finding[] {
	if (item === undefined) return [];
	const believed = 'A callback names its payment, and the service confirms it';
	const known = 'The order of a payment is known from its callback URL';
	const names = `Fields of its body: ${namesIn(bodyIn(item) ?? {})}`;
	const reason = REASON.exec(String(item.reason ?? ''))?.[0];
	return [
		isConfirmed(item)
			? finding(believed, 'yes', names)
			: finding(
					believed,
					'cannotTell',
					`${reason ? `Rejected as ${reason}` : 'It was not confirmed with the service'}. ${names}`,
				),
		isConfirmed(item) && isRecord(item.asked)
			? finding(known, 'yes', 'It was called with the order, and its code is right')
			: finding(known, 'cannotTell', 'No order came with it. Was it given to the link?'),
	];
}

const REASON = /^[a-z_]{1,40}$/;
