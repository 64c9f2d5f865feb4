import { isInErrorTable } from './errorTable';
import { LONGEST } from './limits';
import { isRecord, parseJson } from './parse';
import { linkIn, readReply } from './reply';

/**
 * "It was not created" holds no promise: the words are looked for before and after it. "Not received"
 * and "not confirmed" may be about an answer, so they are not among these.
 */
const DENIED = new RegExp(
	`\\b(?:${[
		'(?:not|never|cannot|(?:can|couldn|wasn|isn|hasn|doesn|don|didn) t|unable to|failed to) (?:be |been )?(?:process(?:ed)?|create(?:d)?|initiated|recorded|submitted|sent|used|exist|accepted|approved|successful|charged|debited|delivered)',
		'(?:unable|not (?:authori[sz]ed|allowed|permitted)|(?:insufficient|enough) (?:balance|funds)) to (?:complete|approve|authori[sz]e)',
		'no (?:\\w+ ){1,3}found|(?:currency|country) is not the same|check the (?:\\w+ )?number sent|valid (?:otp|pin)',
		'n existe pas|non (?:trouve|transmis)e?',
		'n (?:a|est) pas (?:pu )?(?:ete |etre )?(?:traite|cree|envoye|effectue|enregistre|utilise|debite|accepte|approuve|reussi|trouve|transmis)e?',
	].join('|')})\\b`,
);

/** Words of a service that has the payment, may have it, or cannot tell. */
const WORDS = new RegExp(
	`\\b(?:${[
		// It is there; some services write their codes without gaps.
		'\\w*(?:already|exists|duplicat|timeout|inprogress)\\w*|exist(?:ed|ing)?|again|twice|double|doubled|once|same|similar|previous\\w*|earlier|recent\\w*',
		'repeat\\w*|repetition|retr(?:y|ied|ying)|replay\\w*|resen[dt]|re sen[dt]|resubmi\\w*|reus(?:e|ed)|re use[d]?',
		'identical|concurrent|parallel|collision|(?:reserved|locked) by|(?<!not )on record|has an? (?:\\w+ )?(?:payment|link|transaction|request|order|session)',
		'unique|taken|in use|(?:been|was|is|reference|salt|nonce) used|conflict\\w*|idempoten\\w*',
		'(?:second|another|other) (?:time|try|attempt|request|transaction|payment|collection|link|one)',
		'(?:seen|used|made) before|one time(?! p(?:in|ass))|only one (?:transaction|payment|request|link)|created|initiated|completed|paid|received|recorded|submitted|sent|confirmed|settled',
		'accepted|approved|success|successful(?:ly)?|succeeded|charged|debited|credited|delivered',
		'(?:reference|transaction|payment|order|invoice|bill|request|record|link|session) (?:(?:number|is|was|has|been) ){0,3}(?:found|registered|active|live|closed|cleared|logged|assigned|on file)|order has a',
		'(?<!no )(?:open|active) (?:transaction|payment|order|request|link|session)',
		'reference (?:is known|(?:is )?not (?:available|new)|must be different)|(?:new|different|another|other) (?:\\w+ )?reference',
		// It is on its way.
		'process(?:ed|es|ing)?|being|pending|progress|queu\\w*|enqueue\\w*|a?wait(?:s|ed|ing)?|ongoing|under ?way|outstanding',
		'started|unapproved|unpaid|prompt(?:ed)?|check (?:the )?status',
		'still|yet|later|soon|shortly|try (?:after|in)|scheduled|on hold|under review',
		// It waits for the customer.
		'on (?:your|the|his|her|their|customer s) (?:mobile )?(?:phone|handset|device)|enter (?:\\w+ ){0,3}pin|dial \\d+|(?:to|please) (?:approve|authori[sz]e)|to confirm',
		'(?:otp|pin|confirmation|customer (?:authori[sz]ation|verification|approval)) (?:is )?(?:required|needed)|(?:requires?|needs?) (?:the )?(?:(?:\\w+ )?(?:otp|pin|confirmation)|customer)',
		'(?:payment|transaction|collection|request|order) (?:is )?complete|complete (?:the|your|this) (?:payment|transaction)(?! details)',
		// The same in French, which is what half of the countries speak; accents are taken off before.
		'deja|existe|existante?s?|doublons?|duplique\\w*|encore|meme|similaires?|precedent\\w*|utilisee?|identique|unique|re?essay\\w*|recommenc\\w*',
		'traitee?|traitement|reussie?|debitee?|acceptee?|approuvee?|succes|creee?|payee?|recue?|envoyee?|effectuee?|enregistree?|validee?|initiee?|soumise?|confirmee?|trouvee?|transmise?|terminee?|reglee|(?:est|ete) regle|soldee|(?:est|ete) solde|encaissee?',
		'reference (?:(?:est|n est|doit etre) )?(?:connue|prise|differente|(?:non|pas) disponible)|(?:autre|nouvelle) (?:\\w+ )?reference|prise? en compte|(?<!(?:non|pas|plus) )prise? en charge|fait l objet|attente|suspens|en train|patiente\\w*|cours|plus tard|bientot',
		'(?<!aucune? )(?:demande|transaction|operation|commande|facture|lien|paiement|session) (?:(?:est|a ete) )?(?:acti(?:ve|f)|fermee?|cloturee?)',
		'sur (?:votre|son|le) (?:telephone|mobile|portable)|(?:saisir|saisissez|entre[rz]) (?:\\w+ ){0,2}pin|compose[rz] \\d+|(?:pour|veuillez) (?:confirmer|valider|approuver|autoriser)',
		'(?:otp|pin|autorisation|validation|verification|confirmation|approbation) (?:est )?(?:requise?|necessaire)',
		// Nobody knows.
		'time outs?|timed out|no (?:response|reply|answer)|delai (?:\\w+ )?(?:depasse|expire)|reponse|repond pas|(?:statut|etat|resultat) (?:est )?inconnu|(?:status|state|result|outcome) (?:is )?unknown|unknown (?:status|state|result|outcome)',
		'respon(?:se|d|ding|ded)|reply|ambiguous|indeterminate|determined|unfinished|incomplete|running|triggered|pushed?|in ?flight|(?:could not|unable to) (?:confirm|verify)',
		// A fault of the service or of the operator, before or after the payment was made.
		'internal|unexpected|unavailable|unreachable|gateway|exception|sqlstate|undefined|non object|on null|c ?url|went wrong|occurred|connection|(?:time|duration|seconds) exceeded',
		'(?:server|system|service|operator|mno|network|communication|database) (?:error|failure|fault)|error communicating|operator callback|busy|overloaded',
		'erreur (?:du |de (?:la )?)?(?:systeme|serveur|service|operateur|communication|technique)|occupee?|surchargee?|interne|indisponible|injoignable|joindre|survenue|inattendue|reseau|connexion|indetermine\\w*|lancee?|ouverte',
	].join('|')})\\b`,
);

/** "alreadyExists", "IN_PROGRESS" and "re-submitted!" as plain words. */
const wordsOf = (text: string): string =>
	text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ');

const hasSuchWords = (words: string): boolean =>
	words.split(DENIED).some((part) => WORDS.test(part));

/** Deeper than any reply of the service. What is deeper may say anything, so it counts as a maybe. */
const DEEPEST = 8;

function somewhereIn(value: unknown, holds: (each: unknown) => boolean, depth = DEEPEST): boolean {
	if (holds(value)) return true;
	if (typeof value !== 'object' || value === null) return false;
	if (depth === 0) return true;
	return Object.values(value).some((each) => somewhereIn(each, holds, depth - 1));
}

const ON: readonly unknown[] = [true, 'true', 1, '1'];

/** What a record calls itself, in more words than are read from a yes. */
const NAME = new RegExp(
	`^(?:(?:${['transaction', 'payment', 'collection', 'checkout request', 'txn?'].join('|')}) )?(?:id|ref|reference)$`,
);

const isName = (value: unknown): value is string | number =>
	typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/** No spaces and a digit: `data` is the reference itself, and no sentence. */
const isReference = (data: unknown): boolean =>
	typeof data === 'string' && /\d/.test(data) && !/\s/.test(data);

const CODE_FIELDS = ['code', 'status', 'status code'];
/** Too late, conflict, too early and too many requests. */
const UNCLEAR_CODES = [408, 409, 425, 429];

const isUnclearCode = (value: string | number): boolean => {
	const code = Number(value);
	return UNCLEAR_CODES.includes(code) || (code >= 500 && code < 600);
};

/** Looks at each part of a reply. One that is very long is not read to its end: it may say anything. */
function createReader(): (part: unknown) => boolean {
	let left: number = LONGEST.refusal;
	const saysIt = (text: string, means: (words: string) => boolean): boolean => {
		left -= text.length + 1;
		return left < 0 || means(wordsOf(text));
	};
	return (part) => {
		if (typeof part === 'string') return !isInErrorTable(part) && saysIt(part, hasSuchWords);
		if (!isRecord(part)) return false;
		return (
			linkIn({ data: part }) !== null ||
			Object.entries(part).some(([key, value]) =>
				saysIt(
					key,
					(words) =>
						// `{"duplicate": true}`, also as the text that the service uses for its own answers.
						(ON.includes(value) && hasSuchWords(words)) ||
						(isName(value) &&
							(NAME.test(words) || (CODE_FIELDS.includes(words) && isUnclearCode(value)))),
				),
			)
		);
	};
}

/**
 * Whether a no says, or may say, that the payment is there: by its words or its own code, wherever in
 * the reply they are, or because it names a payment. Only a sentence of the specification's error
 * table is above suspicion. Better one row too many to look up than one payment sent twice.
 */
export function mayBeThere(body: unknown): boolean {
	const reply = typeof body === 'string' ? parseJson(body) : body;
	return somewhereIn(reply, createReader()) || isReference(readReply(reply).data);
}
