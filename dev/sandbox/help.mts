import type { Settings } from './options.mts';
import { allowedBy } from './privateAddress.mts';
import type { Switches } from './switches.mts';

/** For a shell: between single quotes only the quote itself needs escaping. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** How openssl is given the key. */
const KEY_OPTIONS = {
	text: '-hmac "$SECRET"',
	hex: '-mac HMAC -macopt "hexkey:$SECRET"',
	base64:
		'-mac HMAC -macopt "hexkey:$(printf %s "$SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d \' \\n\')"',
} as const;

/** One screen with everything a newcomer needs for a first signed request with curl. */
export function helpText(
	url: string,
	{ integrations, strict }: Settings,
	{ mode }: Switches,
): string {
	const first = integrations[0];
	if (first === undefined) return '';
	const { title, clientId, secretKey, signature } = first;
	const { algorithm, encoding, template } = signature;
	const hmac = `openssl dgst -${algorithm} ${KEY_OPTIONS[signature.key]}`;
	const digest =
		encoding === 'hex' ? `${hmac} -r | cut -d' ' -f1` : `${hmac} -binary | openssl base64 -A`;
	const text = template
		.replace(/["\\`$]/g, '\\$&')
		.replace(/\{(client_id|sender|timestamp|salt|params)\}/g, (_, name: string) =>
			name === 'timestamp' && signature.timestamp === 'milliseconds'
				? '${timestamp}000'
				: `\${${name}}`,
		);
	return `Unified Payments sandbox: plays the API and moves no money.

  API base URL  ${url}
  What happened ${url}/
  Client id     ${clientId}
  Sender        ${title}
  Secret key    ${secretKey}
  Mode          ${mode}${strict ? ', strict' : ''}

Start a collection, signed with openssl (paste it as it is):

  client_id=${quoted(clientId)} sender=${quoted(title)} SECRET=${quoted(secretKey)}
  params='{"amount":500,"country_id":1,"currency":"KES","mobile":"254712345678"}'
  timestamp=$(date +%s) salt=$(openssl rand -hex 16)
  signature=$(printf %s "${text}" | ${digest})
  curl -sS ${url}/api/v3/service-unified-collections -H 'Content-Type: application/json' -d "{\\"client_id\\":\\"$client_id\\",\\"sender\\":\\"$sender\\",\\"timestamp\\":$timestamp,\\"salt\\":\\"$salt\\",\\"signature\\":\\"$signature\\",\\"params\\":$params}"

n8n blocks private addresses (N8N_SSRF_PROTECTION_ENABLED)? It reaches the sandbox with ${allowedBy(url)}
A signature fails? The page there shows the expected text next to yours.

  Other integrations  ${
		integrations
			.slice(1)
			.map((one) => `${one.title}: ${one.clientId} / ${one.secretKey}`)
			.join('; ') || 'none'
	}
  Magic values        curl ${url}/sandbox/magic    (amount 990401 or a mobile ending 990401 fails)
  Ledger              curl ${url}/sandbox/ledger
  Faults              curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"server-error","first":1}'
  Start over          curl -X POST ${url}/sandbox/reset
  More                dev/sandbox/README.md, curl ${url}/sandbox/help
`;
}
