// `npm run n8n`: a real n8n with this package in it, connected to the sandbox.
import { startDemo } from './demo.mts';
import { OWNER, buildPackage } from './index.mts';
import { freePort } from './port.mts';

const report = (line: string) => console.log(`${line} …`);

const port = await freePort(Number(process.env.N8N_PORT ?? 5678));

report('Building the package');
await buildPackage();
const demo = await startDemo({ report, port });

console.log(`
  n8n       ${demo.host.url}
  log in    ${OWNER.email}  /  ${OWNER.password}
  try       ${[demo.workflow, ...demo.examples].map(({ id, name }) => `${demo.host.url}/workflow/${id}  ${name}`).join('\n            ')}
  sandbox   ${demo.sandbox.url}

  Ctrl-C stops everything.
`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.on(signal, () => {
		if (stopping) return;
		stopping = true;
		void demo.stop().then(() => process.exit(0));
	});
}
