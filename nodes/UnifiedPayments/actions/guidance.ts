import type { INodeTypeDescription } from 'n8n-workflow';

/** What is said before a run, and what n8n's own AI builders read when they choose this node. */
export const guidance: Pick<INodeTypeDescription, 'hints' | 'builderHint'> = {
	hints: [
		{
			type: 'info',
			message: "'Dry Run' is on: every row is checked, and nothing is sent.",
			displayCondition:
				'={{ ["create", "createAndWait"].includes($parameter["operation"]) && $parameter["options"]?.["dryRun"] === true }}',
			whenToDisplay: 'beforeExecution',
			location: 'outputPane',
		},
		{
			type: 'warning',
			message:
				"'On Duplicate' is 'Send Anyway': running this node again charges the same customers again.",
			displayCondition:
				'={{ ["create", "createAndWait"].includes($parameter["operation"]) && $parameter["options"]?.["onDuplicate"] === "sendAnyway" }}',
			whenToDisplay: 'beforeExecution',
			location: 'outputPane',
		},
		{
			type: 'info',
			message:
				"Draw the node that sends the links between 'Create' and this one, or above: nothing else runs during the wait.",
			displayCondition: '={{ $parameter["operation"] === "waitUntilPaid" }}',
			whenToDisplay: 'beforeExecution',
			location: 'outputPane',
		},
		{
			type: 'info',
			message:
				"The service's address also resumes a later Wait node of this execution: ask for approvals by Send and Wait.",
			displayCondition:
				'={{ ["createAndWait", "waitUntilPaid"].includes($parameter["operation"]) }}',
			whenToDisplay: 'beforeExecution',
			location: 'outputPane',
		},
	],
	builderHint: {
		searchHint:
			"Takes payments in eleven African countries. 'Payment Link: Create' makes a page to send to a customer; 'Collection: Create' asks a mobile wallet directly. For rows of a sheet set `inputMode` to 'columns', so that no field needs an expression. All items of the input are sent by one run of the node: do not put it into a loop. Give every row an order reference, and let payments be reported by the Unified Payments Trigger instead of asking for the status in a loop. For an approval, put 'Check' and a send-and-wait node before the create, and give its `fingerprint` as `approvedFingerprint`.",
		relatedNodes: [
			{
				nodeType: 'n8n-nodes-unified-payments.unifiedPaymentsTrigger',
				relationHint:
					"Starts a workflow when a payment has succeeded or failed; its Production URL is the 'Callback URL' of the create",
			},
			{
				nodeType: 'n8n-nodes-base.googleSheets',
				relationHint:
					"Reads the rows to charge, for input mode 'columns', and takes the links back",
			},
			{
				nodeType: 'n8n-nodes-base.extractFromFile',
				relationHint:
					"Reads the rows to charge from an Excel or CSV file, for input mode 'columns'",
			},
			{
				nodeType: 'n8n-nodes-base.slack',
				relationHint:
					"Its send-and-wait operation asks for an approval between 'Check' and 'Create'",
			},
		],
	},
};
