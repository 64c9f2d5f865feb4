import type { Settings } from './options.mts';

/** One screen: what a newcomer needs to make the first signed request with curl alone. */
export function helpText(url: string, { integrations, mode, strict }: Settings): string {
	const first = integrations[0];
	if (first === undefined) return '';
	const { title, clientId, secretKey, signature } = first;
	const digest =
		signature.encoding === 'hex'
			? `openssl dgst -${signature.algorithm} -hmac '${secretKey}' -r | cut -d' ' -f1`
			: `openssl dgst -${signature.algorithm} -hmac '${secretKey}' -binary | base64 -w0`;
	const text = signature.template
		.replace('{client_id}', clientId)
		.replace('{sender}', title)
		.replace('{timestamp}', '$TS')
		.replace('{salt}', '$SALT')
		.replace('{params}', '$PARAMS');
	return `Unified Payments sandbox: plays the API, moves no money.

  API base URL  ${url}
  Dashboard     ${url}/
  Client id     ${clientId}
  Sender        ${title}
  Secret key    ${secretKey}
  Mode          ${mode}${strict ? ', strict' : ''}

Start a collection, signed with openssl (paste it as it is):

  PARAMS='{"amount":500,"mobile":"254712345678","country_id":1,"currency":"KES"}'
  TS=$(date +%s) SALT=$(openssl rand -hex 16)
  SIG=$(printf %s "${text}" | ${digest})
  curl -sS ${url}/api/v3/service-unified-collections -H 'Content-Type: application/json' \\
    -d '{"client_id":"${clientId}","sender":"${title}","timestamp":'$TS',"salt":"'$SALT'","signature":"'$SIG'","params":'"$PARAMS"'}'

A signature fails? The dashboard's request log shows the expected text beside yours.

  Other integrations  ${
		integrations
			.slice(1)
			.map((one) => `${one.title}: ${one.clientId} / ${one.secretKey}`)
			.join('; ') || 'none'
	}
  Magic values        curl ${url}/sandbox/magic    (amount 990401 or a mobile ending 990401 fails)
  Ledger              curl ${url}/sandbox/ledger
  Faults              curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"server-error","first":1}'
  Start anew          curl -X POST ${url}/sandbox/reset
  More                sandbox/README.md, curl ${url}/sandbox/help
`;
}
