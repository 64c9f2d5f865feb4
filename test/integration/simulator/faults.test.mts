import { simulate } from './simulate.mts';

// Each was a fault of an earlier version, or is put into an example, with the first seed at which it shows. `npm run simulate -- --patch <name>
// --first --seeds 200` finds that seed.
const FAULTS = [
	['sharedKey', 11, 'a duplicate was sent before'],
	['emptyGuard', 8, 'guards hold'],
	['equalValues', 6, 'a link is that of its row'],
	['pairing', 14, 'an item is paired to its row'],
	['orderIsNews', 40, 'an acknowledged callback is not lost'],
	['otherOrder', 69, 'a payment is that of its order'],
	['commas', 3, 'what is paid in full is told so'],
	['noButThere', 14, 'nothing taken is told as refused'],
	['maker', 6, 'a link is that of its row'],
	['unreadList', 116, 'nothing is taken twice'],
	['echoedSignature', 18, 'nothing secret is shown'],
	['againPaid', 15, 'paid in full is paid in full'],
	['deskApproval', 6, 'only what was approved is sent'],
	['deskFingerprint', 30, 'an approval holds'],
	['deskUnknown', 106, 'nothing is taken twice'],
	['deskLetter', 12, 'an e-mail has the link of its customer'],
	['deskOnce', 6, 'an order has one e-mail'],
	['deskUnfinished', 12, 'what was approved has an outcome'],
	['deskSheet', 22, 'a link is that of its row'],
	['deskReceipt', 147, 'a receipt is for what the desk has sent'],
	['deskPart', 22, 'what is called paid was paid'],
	['deskUnmarked', 12, 'nobody is reminded who has paid'],
	['markedPart', 21, 'what is called paid was paid'],
] as const;

it('twenty faults and more, put back one at a time, are each found', async () => {
	const { told } = await simulate(
		'--faults',
		FAULTS.map(([name, seed]) => `${name}:${seed}`).join(),
	);
	expect(told.trim().split('\n')).toEqual(
		FAULTS.map(([name, seed, invariant]) => `${name} at ${seed}: ${invariant}`),
	);
}, 180_000);
