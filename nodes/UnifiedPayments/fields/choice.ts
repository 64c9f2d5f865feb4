import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';
import { bad, good, type Read } from './read';
import { isBlank } from './text';

/** What workflows may save; the first is the default. */
export type Choices = readonly [string, ...string[]];

/** One of the given words; blank is the first. */
export const readChoice =
	<const Words extends Choices>(allowed: Words) =>
	(given: unknown): Read<Words[number]> => {
		if (isBlank(given)) return good(allowed[0]);
		const found = allowed.find((each) => each === given);
		return found === undefined
			? bad('which is not a choice', `Choose one of ${allowed.join(', ')}.`)
			: good(found);
	};

/** A list of the editor whose default is that of its reader. */
export const choiceProperty = (
	[byDefault]: Choices,
	property: Omit<INodeProperties, 'type' | 'default'>,
): INodeProperties => ({ ...property, type: 'options', default: byDefault });

export const choiceField = <const Words extends Choices>(
	allowed: Words,
	property: Omit<INodeProperties, 'type' | 'default'>,
): Field<Words[number]> => ({
	property: choiceProperty(allowed, property),
	read: readChoice(allowed),
});
