// Everything a newcomer needs for the first signed request, ready to paste.
import { h } from './dom.js';
import { codeBlock, copyButton } from './parts.js';

/** For a shell: between single quotes only the quote itself needs escaping. */
const quoted = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;

const SECRET_HINT = '<the secret key your terminal printed>';

const DEFAULT_TEMPLATE = '{client_id}|{sender}|{timestamp}|{salt}|{params}';

const SHELL_NAMES = {
	client_id: '$CLIENT_ID',
	sender: '$SENDER',
	timestamp: '$TIMESTAMP',
	salt: '$SALT',
	params: '$PARAMS',
};

function recipeOf(integration) {
	const recipe = integration.signature ?? {};
	return {
		template: recipe.template ?? DEFAULT_TEMPLATE,
		algorithm: recipe.algorithm ?? 'sha256',
		encoding: recipe.encoding ?? 'hex',
		params: recipe.params ?? 'asSent',
		timestamp: recipe.timestamp ?? 'seconds',
		key: recipe.key ?? 'text',
	};
}

/** What the template alone does not say. */
const remarksOn = ({ params, timestamp, key }) =>
	[
		params === 'sorted' ? '; params with sorted keys' : '',
		timestamp === 'milliseconds' ? '; timestamp in milliseconds' : '',
		key === 'text' ? '' : `; the secret key is ${key}`,
	].join('');

function curlExample(integration, origin) {
	const recipe = recipeOf(integration);
	const { template, algorithm, encoding } = recipe;
	// Not worth a second script: the terminal has one for every recipe.
	if (remarksOn(recipe) !== '') return '# The terminal shows a request that is signed this way.';
	const text = template
		.replace(/["\\`$]/g, '\\$&')
		.replace(/\{(client_id|sender|timestamp|salt|params)\}/g, (_, name) => SHELL_NAMES[name]);
	const digest =
		encoding === 'base64'
			? `openssl dgst -${algorithm} -hmac "$SECRET" -binary | openssl base64 -A`
			: `openssl dgst -${algorithm} -hmac "$SECRET" | sed 's/^.* //'`;
	return `CLIENT_ID=${quoted(integration.clientId)}
SENDER=${quoted(integration.title)}
SECRET=${quoted(integration.secretKey ?? SECRET_HINT)}
PARAMS='{
  "business_name": "Savanna Coffee",
  "item_name": "Beans, 1 kg",
  "amount": "2500",
  "currency": "KES",
  "country_id": 1,
  "first_name": "Amina",
  "last_name": "Otieno",
  "phone": "254712345678"
}'

TIMESTAMP=$(date +%s)
SALT=$(openssl rand -hex 8)
SIGNATURE=$(printf '%s' \\
  "${text}" \\
  | ${digest})

curl -s ${origin}/api/v3/payment-link-api/create \\
  -H 'Content-Type: application/json' \\
  --data-binary @- <<EOF
{ "client_id": "$CLIENT_ID", "sender": "$SENDER",
  "timestamp": $TIMESTAMP, "salt": "$SALT",
  "signature": "$SIGNATURE",
  "params": $PARAMS }
EOF`;
}

const value = (label, text) =>
	h(
		'div',
		{ class: 'value' },
		h('span', { class: 'value-label' }, label),
		h('code', {}, text),
		copyButton(text),
	);

function credentials(integration, origin) {
	const recipe = recipeOf(integration);
	const { template, algorithm, encoding } = recipe;
	return h(
		'div',
		{ class: 'values' },
		value('Base URL', origin),
		value('Client ID', integration.clientId),
		value('Sender', integration.title),
		integration.secretKey
			? value('Secret key', integration.secretKey)
			: h(
					'div',
					{ class: 'value' },
					h('span', { class: 'value-label' }, 'Secret key'),
					h('span', { class: 'under' }, 'printed in the terminal when the sandbox started'),
				),
		h(
			'div',
			{ class: 'value' },
			h('span', { class: 'value-label' }, 'Signature'),
			h(
				'span',
				{},
				`HMAC-${algorithm.toUpperCase()}, ${encoding}, over `,
				h('code', {}, template),
				remarksOn(recipe),
			),
		),
	);
}

const stage = (number, title, ...children) =>
	h(
		'section',
		{ class: 'stage' },
		h('span', { class: 'stage-number', 'aria-hidden': 'true' }, number),
		h('div', { class: 'stage-body' }, h('h2', {}, title), children),
	);

async function magicValues(list) {
	const response = await fetch('/sandbox/magic').catch(() => null);
	const values = response?.ok ? await response.json() : [];
	list.append(
		...values.map(({ mobileEnding, meaning }) =>
			h('li', {}, h('code', {}, mobileEnding), h('span', {}, meaning)),
		),
	);
}

export function quickStart(integrations, origin) {
	const shown = h('div', { class: 'stages' });
	const magic = h('ul', { class: 'magic' });
	void magicValues(magic);
	const show = (integration) => {
		const example = curlExample(integration, origin);
		shown.replaceChildren(
			stage(
				1,
				'Take these credentials',
				h(
					'p',
					{},
					'They give access to nothing real. Put them into your client, or into the credential of the node.',
				),
				credentials(integration, origin),
			),
			stage(
				2,
				'Send one signed request',
				h(
					'p',
					{},
					integration.secretKey
						? 'Paste this into a shell. It needs only curl and openssl.'
						: 'Put the secret key into its third line and paste it into a shell. It needs only curl and openssl.',
				),
				h(
					'div',
					{ class: 'example' },
					copyButton(example, 'Copy example'),
					codeBlock(example, 'curl example'),
				),
			),
			stage(
				3,
				'Play the customer',
				h(
					'p',
					{},
					'The new link appears under ',
					h('a', { href: '#links' }, 'Links'),
					'. Open its page and pay, let it fail, or cancel; then watch the transaction, its callback and the wallet move.',
				),
			),
			stage(
				4,
				'Steer the outcome',
				h('p', {}, 'These work as the whole amount, or as the last digits of the mobile number.'),
				magic,
				h('p', {}, h('a', { href: '/sandbox/help' }, 'Everything else, in one page of plain text')),
			),
		);
	};
	const picker = h(
		'select',
		{ id: 'integration', onchange: (event) => show(integrations[Number(event.target.value)]) },
		integrations.map((integration, index) => h('option', { value: index }, integration.title)),
	);
	if (integrations[0]) show(integrations[0]);
	return h(
		'div',
		{ class: 'start' },
		integrations.length > 1 &&
			h('div', { class: 'picker' }, h('label', { for: 'integration' }, 'Integration'), picker),
		shown,
	);
}
