/**
 * Runs real workflows in this process, with n8n's own engine and real HTTP:
 *
 *     const { success, failedJson, status } = await runNode(
 *         new UnifiedPayments(),
 *         { resource: 'balance', operation: 'get', currency: '={{ $json.currency }}' },
 *         {
 *             items: [{ currency: 'KES' }, { currency: 'GHS' }],
 *             credentials: { unifiedPaymentsApi: { baseUrl, clientId, sender, secretKey } },
 *             credentialTypes: [new UnifiedPaymentsApi()],
 *             onError: 'continueErrorOutput',
 *         },
 *     );
 *
 * The workflow is `Start`, the node, and after it `Success` and `Failed`; `runWorkflow` takes any
 * other workflow (`node`, `pass` and `connect` build it). Defaults, display conditions, expressions,
 * pairing, error routing, Retry On Fail, hints, waiting, cancelling (`signal`) and static data are
 * the engine's. Binary data is in files (`storeBinary`), as on a server. Deduplication remembers
 * by workflow and node id; every run has a workflow of its own unless `workflowId` is given.
 *
 * `serveTrigger` serves a trigger's endpoint on a real port and runs what it stores.
 *
 * `runSleeper` runs a workflow that may go to sleep, and serves the address that wakes it.
 *
 * `testCredential` presses "Test" on a credential; `listSearch`, `loadOptions` and `resourceMapping` call
 * a node's editor methods.
 */
export { startEngine } from './start.mts';
export { connect, node, pass } from './build.mts';
export { storeBinary } from './binary.mts';
export { testCredential } from './credentialTest.mts';
export { listSearch, loadOptions, resourceMapping } from './loadOptions.mts';
export { NODE, runNode } from './runNode.mts';
export type { NodeResult, RunNodeOptions } from './runNode.mts';
export { runWorkflow } from './workflow.mts';
export { serveTrigger } from './webhook.mts';
export type { TriggerHost, TriggerOptions } from './webhook.mts';
export { runSleeper } from './sleeper.mts';
export type { Sleeper } from './sleeper.mts';
