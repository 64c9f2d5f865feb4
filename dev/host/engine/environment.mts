import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads its settings while it is loaded, so this module must be imported first.
const userFolder = mkdtempSync(join(tmpdir(), 'unified-payments-engine-'));

process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';

const remove = () => rmSync(userFolder, { recursive: true, force: true });

// Jest does not emit 'exit' to the code under test.
if (typeof afterAll === 'function') afterAll(remove);
else process.once('exit', remove);
