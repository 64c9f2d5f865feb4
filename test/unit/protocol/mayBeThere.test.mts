import { mayBeThere } from '../../../nodes/UnifiedPayments/protocol/mayBeThere.ts';
import { phrases } from '../../helpers/phrases.mts';

const no = (message: unknown, more: Record<string, unknown> = {}) =>
	JSON.stringify({ success: false, message, ...more });

describe('a no that may mean that the payment is there', () => {
	it.each([
		// It is there.
		...phrases(`
			exists already | ALREADY EXISTS! | alreadyExists | Has been received | once only | ｄｕｐｌｉｃａｔｅ
			Duplicate transaction. | DUPLICATE_REFERENCE | Re-submitted | Please do not send again
			Resubmission is not allowed | Repeat of an order | Not possible a second time | It succeeded
			The reference has been taken | Request replayed | Reference must be unique | Successfully made
			This reference is in  use | Reference was used | Another transaction holds this reference
			A previous request has this salt | Same order within five minutes | Customer was debited
			Could not be processed: exists | Transaction was created, but the SMS could not be sent
			Collection accepted, SMS not sent | Payment successful | The customer has been charged
			Delivered to the customer | Transaction approved | Wallet credited | Success | Client débité
			Paiement accepté | Demande approuvée | Opération réussie | Avec succès | ALREADYEXISTS
			TRANSACTIONEXISTS | Can be used one time only | Only one payment a day | Order is active
			Transaction with this reference was found | Reference number has been registered | Salt used
			There is an open transaction | Reference is known | Order has a link | Reference not available
			Use a different order reference | Reference must be different | Parallel request | Nonce used
			Identical transaction detected. | Concurrent transaction detected for this reference.
			Reference collision | The reference is on record. | Reference reserved by transaction
			Order is locked by another one | Similar transaction detected. Please try after 5 minutes.
			Transaction reference used | Similar transaction within 2 minutes not allowed | Link is live
			Customer has a live session | Order is closed | Payment complete | Invoice has been cleared
		`),
		// It is on its way.
		...phrases(`
			The request is in progress… | IN-PROGRESS | Your payment is in process | Processing | queued
			Processed | Pending approval of the customer | Wait for the customer | Awaiting confirmation
			Payment link was not created yet | Try later | Transaction started. Check status. | Dial *126#
			Check the status of the customer's wallet | Customer has an unapproved debit request
			The invoice is unpaid | Your USSD prompt is on the phone | The customer was prompted
			Try after 5 minutes | Please complete the payment on your phone | Confirm on your handset
			Enter PIN on your phone to authorise | Please dial *126# to approve | Enter your M-Pesa PIN
			OTP required | Customer verification needed | Needs customer approval | Payment complete
			It requires confirmation
		`),
		// Nobody knows.
		...phrases(`
			The operator timed out | No response from the operator | Transaction status unknown
			Response was not received from the operator | We never received a response
			Payment could not be confirmed, check its status | The payment was not received
			It was not completed | It was not settled | The request was not paid | Transaction ambiguous
			Operator did not respond | INPROGRESS | STK push triggered
		`),
		// A fault says nothing about the payment.
		...phrases(`
			Internal server error | Service unavailable | Something went wrong | Bad gateway
			Connection reset by operator | Network error | An error occurred | System failure
			Trying to get property of non-object | Member function on null | Operator callback missing
			Maximum execution time of 30 seconds exceeded | SQLSTATE[40001] | cURL error 52
			Erreur interne | Une erreur est survenue | Opérateur injoignable | Indéterminé | System busy
			Erreur système | Erreur serveur | Erreur de communication | Ligne occupée
		`),
		// One cause of the table does not make the other harmless.
		...phrases(`
			Transaction was not created again: it is being processed
			Transaction was not created! It is pending.
			Transaction was not created or is being processed
		`),
		// Half of the countries speak French.
		...phrases(`
			Cette référence existe déjà | Transaction en cours de traitement | Doublon | Délai dépassé
			PAIEMENT_EN_ATTENTE | Statut inconnu | L’état est inconnu | Aucune réponse de l’opérateur
			Veuillez patienter | Veuillez réessayer | Transaction initiée | Transaction soumise
			Le paiement n’a pas été reçu | Confirmée | L’opérateur ne répond pas | Transaction trouvée
			Demande transmise | Non terminée | Veuillez recommencer | Référence prise | Pris en compte
			A fait l’objet d’un paiement | Transaction en suspens | En train de payer | Facture soldée
			Cette facture a été réglée | Ce compte est soldé | Paiement encaissé | Opération similaire
			Veuillez utiliser une autre référence | La référence doit être différente | Commande clôturée
			Référence non disponible | Votre demande est prise en charge | Une demande est active
			Veuillez valider sur votre téléphone | Veuillez saisir votre code PIN | Veuillez valider
			Composez *144# pour confirmer | Composez *144# | OTP requis | Confirmation requise
		`),
	])('%j', (message) => {
		expect(mayBeThere(no(message))).toBe(true);
	});

	it.each([
		['in a list of messages', no(['Not valid', 'Has already been taken'])],
		['in a field of its own', no('Not valid', { error: { code: 'DUPLICATE_ORDER' } })],
		['among errors of fields', no('Not valid', { errors: { reference: ['Already taken'] } })],
		['in data', no('No', { data: 'it is pending' })],
		['as the state of a record', no('No', { data: { status: 'PENDING' } })],
		['as a state that is success', no('No', { data: { status: 'success' } })],
		['as a switch', no('No', { data: { isDuplicate: true } })],
		['as a switch in words', no('No', { data: { duplicate: 'true' } })],
		['as a switch in numbers', no('No', { data: { duplicate: 1 } })],
		['as a switch in digits', no('No', { data: { duplicate: '1' } })],
		['beside a sentence of the table', no('Transaction was not created!', { detail: 'duplicate' })],
		['as a reference', no('No', { data: { reference: 'R-1' } })],
		['as a number', no('No', { data: { transaction_id: 7 } })],
		['as a link', no('No', { data: { link: 'https://pay.example.com/1' } })],
		['as a reference in a record', no('No', { data: { transaction: { ref: 'R-1' } } })],
		['as a reference in a list', no('No', { data: [{ ref: 'R-1' }] })],
		['as a reference beside data', no('No', { reference: ' R-1' })],
		['as a rounded number', no('No', { data: { id: 2 ** 53 } })],
		...['paymentRef', 'collection_id', 'checkoutRequestID', 'tx_ref', 'txnId'].map(
			(name): [string, string] => [`as ${name}`, no('No', { data: { [name]: 'ws_1' } })],
		),
		['as data that is a reference', no('No', { data: 'TX-1' })],
		...[408, 409, 425, 429, 500, '599'].map((code): [string, string] => [
			`as the code ${code}`,
			no('No', { code }),
		]),
		['as the code of an error', no('No', { error: { statusCode: 500 } })],
		['as a status', no('No', { status: 500 })],
		['in a body that is no text', { success: false, message: 'Already paid' }],
	])('says so %s', (_, body) => {
		expect(mayBeThere(body)).toBe(true);
	});
});

describe('a no that means no', () => {
	it.each([
		...phrases(`
			Currency is not the same as that of the country | Amount is above the limit of 150,000 KES
			Mobile number is not valid for Kenya | Timestamp is older than 300 seconds | Client non trouvé
			There is no active payment service | Authorization header is required | Dial code is not valid
			The payment hasn’t been created | No such transaction was found | Le client n'a pas été débité
			The line has reserved numbers | Check the mobile number sent | The method is not accepted | No
			The wallet was not debited | Elle n’a pas été approuvée | L’opération n’a pas réussi
			Mobile number not verified | Enter a valid phone number | Devise non prise en charge
			Declined by the processor | The account is not active | It could not be delivered | Wrong PIN
			Veuillez saisir un numéro | Transaction unsuccessful | It has not been approved | Invalid PIN
			Number is not registered | Request was not verified | Callback URL is missing | Not on record
			The logo is too large | It was not successful | The account is locked | Account is not active
			The account is closed | Aucune demande active | You were not charged | Ce n'est pas accepté
			Daily limit exceeded | Invalid one-time PIN | Invalid phone number | Insufficient funds
			Code PIN invalide | User not found! | Incorrect OTP | Authorization required
			Please complete all required fields | IP address requires approval | Enter a valid PIN
			Unable to complete the transaction: insufficient funds | Règle non respectée
			Insufficient funds to complete this payment | You are not authorised to approve payments
			Not allowed to authorize it | Not enough balance to approve | Complete the payment details
			Please complete the payment details
		`),
		// It did not happen, or is not there.
		...phrases(`
			Transaction was not created! | Payment link was not created. | The currency does not exist
			Country doesn't exist | The link cannot be created | Payment could not be processed
			Unable to process the payment | Le compte n’existe pas | Client inconnu | Solde insuffisant
			The voucher has not been used | La transaction n'a pas été créée | Montant invalide
			Service user not found or Country was not found or Transaction was not created!
			Entity integration record not found or Client id not matched or Request was not verified.
		`),
		'',
	])('%j', (message) => {
		expect(mayBeThere(no(message, { data: {} }))).toBe(false);
	});

	it.each([
		['a switch that is off', no('No', { data: { duplicate: false, exists: 'false', again: 0 } })],
		['the order that was sent', no('No', { data: { third_party_reference_1: 'A-1', amount: 5 } })],
		['an empty reference', no('No', { data: { reference: ' ', link: '' } })],
		['data that is a sentence', no('No', { data: 'Limit is 5' })],
		['data that is a number', no('No', { data: 5 })],
		['data that is a word', no('No', { data: 'Declined' })],
		[
			'other codes',
			no('No', { code: 499, status: '600', data: { code: { toString: 1 }, n: 500 } }),
		],
		['no data', no('No', { data: null })],
		['no message', '{"success":false}'],
		['nothing', ''],
	])('%s', (_, body) => {
		expect(mayBeThere(body)).toBe(false);
	});
});

it('a reply that is nested without end may say anything', () => {
	const nested = `${'{"data":'.repeat(5000)}"No"${'}'.repeat(5000)}`;
	expect(mayBeThere(nested)).toBe(true);
});

it.each([
	['text', (length: number) => JSON.stringify('x'.repeat(length))],
	['names', (length: number) => JSON.stringify({ [' duplicate'.padStart(length)]: false })],
])('a reply with very much %s may say anything', (_, body) => {
	expect(mayBeThere(body(15_999))).toBe(false);
	expect(mayBeThere(body(16_000))).toBe(true);
});
