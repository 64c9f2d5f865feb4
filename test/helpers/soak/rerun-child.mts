/** A run in a process of its own, to be killed: `rerun-child.mts <settings as JSON>`. */
import { rerun, type Rerun } from './rerun.mts';

await rerun(JSON.parse(process.argv[2]!) as Rerun);
process.exit(0);
