// How the service behaves where the specification leaves it open: a dialog with one choice per question.
import { h } from './dom.js';

/** The first answer to each question is the default. */
const SWITCHES = [
	{
		name: 'mode',
		question: 'The reply to a create contains',
		answers: {
			spec: 'nothing, as in the specification',
			rich: 'the link and the reference',
		},
	},
	{
		name: 'listEntries',
		question: 'A link in the list has',
		answers: {
			callbackUrl: 'the fields it was created with',
			fields: 'these fields without the callback URL',
			otherNames: 'other names for everything',
		},
	},
	{
		name: 'records',
		question: 'The record of a transaction has',
		answers: {
			callbackUrl: 'the callback URL, as in the specification',
			noCallbackUrl: 'no callback URL',
		},
	},
	{
		name: 'callbackUrls',
		question: 'Of a callback URL the service keeps',
		answers: {
			whole: 'all of it',
			noQuery: 'what is before the question mark',
			cut255: 'the first 255 characters',
		},
	},
	{
		name: 'statusBy',
		question: 'The status is given for',
		answers: {
			ref: "the service's own reference",
			ownReference: 'that, and the reference of the merchant',
		},
	},
];

/** `spec mode, 2 switches changed`; empty before the state is loaded. */
export function switchesInWords({ switches, strict }) {
	if (!switches.mode) return '';
	const changed = SWITCHES.slice(1).filter(
		({ name, answers }) => switches[name] !== Object.keys(answers)[0],
	).length;
	return [
		`${switches.mode} mode`,
		strict && 'strict',
		changed > 0 && `${changed === 1 ? '1 switch' : `${changed} switches`} changed`,
	]
		.filter(Boolean)
		.join(', ');
}

export function switchChoices(switches, change) {
	return SWITCHES.map(({ name, question, answers }) =>
		h(
			'label',
			{ class: 'switch' },
			question,
			h(
				'select',
				{ name, onchange: (event) => change({ [name]: event.target.value }) },
				Object.entries(answers).map(([value, words]) =>
					h('option', { value, selected: switches[name] === value }, words),
				),
			),
		),
	);
}
