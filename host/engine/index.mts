/**
 * Runs real workflows inside a test, with n8n's own engine and real HTTP:
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
 * The node stands between `Start` and the sinks `Success` and `Failed`; `runWorkflow` takes any
 * other shape (`node`, `pass` and `connect` build it). Defaults, display conditions, expressions,
 * pairing, error routing, Retry On Fail, hints, waiting, cancelling (`signal`) and static data are
 * the engine's. Binary data is in files (`storeBinary`), as on a server. Deduplication remembers
 * by workflow and node id: every run has its own workflow unless `workflowId` says otherwise.
 *
 * `serveTrigger` puts a trigger's endpoint on a real port and runs what it stores.
 *
 * `testCredential` presses "Test" on a credential; `loadOptions`, `listSearch` and
 * `resourceMapping` call a node's editor methods.
 */
export { startEngine } from './start.mts';
export { connect, node, pass } from './build.mts';
export { storeBinary } from './binary.mts';
export { testCredential } from './credentialTest.mts';
export { listSearch, loadOptions, resourceMapping } from './loadOptions.mts';
export type { EditorContext } from './loadOptions.mts';
export type { CredentialData } from './credentials.mts';
export type { LogLine } from './log.mts';
export { RunResult } from './result.mts';
export { FAILED, NODE, NodeResult, PACKAGE_NAME, START, SUCCESS, runNode } from './runNode.mts';
export type { RunNodeOptions } from './runNode.mts';
export { runWorkflow } from './workflow.mts';
export type { RunWorkflowOptions } from './workflow.mts';
export { TriggerRun, serveTrigger } from './webhook.mts';
export type { TriggerHost, TriggerOptions } from './webhook.mts';
