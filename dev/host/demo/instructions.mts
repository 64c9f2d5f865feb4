import { basename } from 'node:path';

import { allowedBy } from '../../sandbox/index.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { OWNER } from '../n8n/index.mts';
import { N8N_VERSION } from '../n8n/release.mts';
import type { ExistingN8n } from './existingN8n.mts';
import { FORM_LOGIN } from './index.mts';
import type { Demo } from './index.mts';
import { sandboxCredential } from './sandboxCredential.mts';

/** What `npm start` prints: where to begin, the login, and what to try next. */
export function startInstructions({
	host,
	sandbox,
	messages,
	examples,
	workflow,
	formUrl,
}: Demo): string {
	const others = examples.filter(({ id }) => id !== workflow.id);
	return `
${messages ? firstSteps(formUrl, messages.url) : ''}
  Workflow   ${host.url}/workflow/${workflow.id}  Sheet to payment links, with notes
             Log in: ${OWNER.email}  /  ${OWNER.password}

  More       ${others.map(({ id, name }) => `${host.url}/workflow/${id}  ${name}`).join('\n             ')}
             ${sandbox.url}  the requests and payments in the sandbox

  Credential "Sandbox" is already there. To make one of your own:
${credentialLines(sandbox, '             ')}

  When n8n warns, e.g. because a callback was refused, it is shown here.
  This n8n sends to private addresses. One that does not reaches this sandbox with ${allowedBy(sandbox.url)}
  Ctrl-C stops everything. What n8n and the sandbox know is kept: a row that was sent is not sent again,
  and comes out with the link it has. "npm start -- --fresh" starts again without all of it.
`;
}

const firstSteps = (form: string, messages: string) => `
  1. Upload  ${form}  (user ${FORM_LOGIN.user}, password ${FORM_LOGIN.password})
             Click "Download a sheet with five orders", choose that file, press "Check the sheet".
             One row is wrong on purpose. Leave "Ask for approval", press "Go on".
  2. Approve ${messages}  the messages of n8n
             In the e-mail to the approver, click the address behind "Decide", choose "Send them",
             press "Answer". The form hands the sheet back, with the links.
  3. Pay     On the same page, the customers have their e-mails: click the link of one, and pay it.
             No money moves. Your team reads it in #payments, and the order is marked as paid.
`;

/** As long as n8n has not verified it: docs/running-n8n.md. */
const LOADS_THE_PACKAGE = 'N8N_UNVERIFIED_PACKAGES_ENABLED=true';

function credentialLines(sandbox: Sandbox, indent: string): string {
	const { baseUrl, clientId, sender, secretKey } = sandboxCredential(sandbox);
	return [
		`Base URL    ${String(baseUrl)}`,
		`Client ID   ${String(clientId)}`,
		`Sender      ${String(sender)}`,
		`Secret Key  ${String(secretKey)}`,
	]
		.map((line) => indent + line)
		.join('\n');
}

/** What users still have to do in their own n8n. */
export function existingN8nInstructions(
	url: string,
	{ sandbox, tarball, example }: ExistingN8n,
): string {
	const credential = `Add a credential "Unified Payments API":
${credentialLines(sandbox, '     ')}
  3. Import a workflow from the examples folder, and select that credential in its nodes.`;
	const file = basename(tarball);
	const install = 'mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install --omit=peer';
	return `
  The sandbox runs at ${sandbox.url}. For your n8n at ${url}:

  1. Install the package where n8n keeps its data, and restart n8n:
     ${install} ${tarball}
     In Docker, for a container that is called n8n:
     docker cp ${tarball} n8n:/tmp/
     docker exec n8n sh -c '${install} /tmp/${file}'
     docker restart n8n
  2. ${example ? `The credential "Sandbox" and the examples are already there. Open ${example}` : credential}

  No n8n yet? In Docker, on the network of this machine, so that it reaches the sandbox:
     docker run -d --name n8n --network host -v n8n_data:/home/node/.n8n -e ${LOADS_THE_PACKAGE} docker.n8n.io/n8nio/n8n:${N8N_VERSION}

  n8n 3 loads the package only with ${LOADS_THE_PACKAGE}
  An n8n that blocks private addresses reaches the sandbox with ${allowedBy(sandbox.url)}

  Ctrl-C stops the sandbox. Its links and transactions are kept for the next start.
`;
}
