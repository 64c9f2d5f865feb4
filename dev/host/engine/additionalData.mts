import { ExternalSecretsProxy } from 'n8n-core';
import type { ICredentialsHelper, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

const notSupported = (what: string) => async (): Promise<never> => {
	throw new Error(`This engine does not support ${what}`);
};

const instance = 'http://n8n.test';

/** What the server gives to every node in addition to the workflow itself. */
export function additionalData(
	credentialsHelper: ICredentialsHelper,
	more: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		currentNodeExecutionIndex: 0,
		executeWorkflow: notSupported('sub-workflows'),
		getRunExecutionData: async () => undefined,
		getRuntimeCredential: async () => undefined,
		startRunnerTask: notSupported('task runners'),
		logAiEvent: () => undefined,
		externalSecretsProxy: new ExternalSecretsProxy(),
		variables: {},
		instanceBaseUrl: `${instance}/`,
		restApiUrl: `${instance}/rest`,
		formBaseUrl: `${instance}/form`,
		formWaitingBaseUrl: `${instance}/form-waiting`,
		formTestBaseUrl: `${instance}/form-test`,
		webhookBaseUrl: `${instance}/webhook`,
		webhookWaitingBaseUrl: `${instance}/webhook-waiting`,
		webhookTestBaseUrl: `${instance}/webhook-test`,
		mcpBaseUrl: `${instance}/mcp`,
		mcpTestBaseUrl: `${instance}/mcp-test`,
		...more,
	};
}
