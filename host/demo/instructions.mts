import type { Demo } from './index.mts';
import type { Existing } from './existingN8n.mts';
import { OWNER } from '../n8n/index.mts';
import { sandboxCredential } from './index.mts';

/** Three things: where, as whom, and what to try first. */
export function welcome(
	{ host, sandbox, slack, examples, workflow }: Demo,
	alerts: boolean,
): string {
	const [first = workflow, ...more] = [...examples].sort(sheetFirst);
	const places = [
		...more.map(({ id, name }) => `${host.url}/workflow/${id}  ${name}`),
		`${sandbox.url}  what the service saw`,
		...(slack ? [`${slack.url}  what Slack was told`] : []),
	];
	return `
  n8n        ${host.url}
  Log in     ${OWNER.email}  /  ${OWNER.password}
  Try first  ${host.url}/workflow/${first.id}
             Press "Execute workflow": a sheet of orders becomes payment links, and a row that
             needs a correction comes out apart. Open "To send", and follow a link to pay it.
${slack && alerts ? walk(`${host.url}/workflow/${workflow.id}`, slack.url) : ''}
  More       ${places.join('\n             ')}

  Ctrl-C stops everything. Your data is kept; "npm start -- --fresh" begins anew.
`;
}

/** From a link to a message about its payment. */
const walk = (workflow: string, messages: string) => `
  Then       ${workflow}
             Press "Execute workflow", open "Create payment link", and pay the link. The message about
             the payment arrives in the stand-in for Slack: ${messages}
`;

const sheetFirst = (a: { name: string }, b: { name: string }) =>
	Number(b.name.startsWith('Sheet')) - Number(a.name.startsWith('Sheet'));

/** What is left to do by hand in an n8n of one's own. */
export function steps(url: string, { sandbox, tarball, example }: Existing): string {
	const { baseUrl, clientId, sender, secretKey } = sandboxCredential(sandbox);
	const credential = `Add a credential "Unified Payments API":
     Base URL    ${String(baseUrl)}
     Client ID   ${String(clientId)}
     Sender      ${String(sender)}
     Secret Key  ${String(secretKey)}
  3. Import a workflow of the examples folder, and choose that credential in it.`;
	return `
  The sandbox runs at ${sandbox.url}. For your n8n at ${url}:

  1. Install the package where n8n keeps its data, and restart n8n:
     mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install --legacy-peer-deps ${tarball}
  2. ${example ? `The credential "Sandbox" and the examples are there. Open ${example}` : credential}

  Ctrl-C stops the sandbox.
`;
}
