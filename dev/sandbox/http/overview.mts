import type { FastifyInstance } from 'fastify';
import { settleByHand } from '../admin/records.mts';
import { stateView } from '../admin/state.mts';
import { orderOf } from '../model.mts';
import type { Callback, LoggedRequest, PaymentLink, TextPart, Transaction } from '../model.mts';
import { moneyText } from '../store/money.mts';
import type { World } from '../world.mts';
import { sendPage } from './static.mts';

const SHOWN = 100;
/** Longer equal stretches of two texts are cut, so that the differences stay in sight. */
const LONGEST_SAME = 400;

/** Markup, as opposed to text that has yet to be escaped. */
class Html {
	constructor(readonly text: string) {}
}

type Part = Html | string | number | null | undefined | readonly Part[];

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function markup(part: Part): string {
	if (part === null || part === undefined) return '';
	if (part instanceof Html) return part.text;
	if (typeof part === 'object') return part.map(markup).join('');
	return escaped(String(part));
}

const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
	new Html(texts.map((text, at) => text + markup(parts[at])).join(''));

/** What happened in this sandbox, newest first: one page without a script, to be loaded again. */
export function serveOverview(app: FastifyInstance, world: World): void {
	app.get('/', (_, reply) => sendPage(reply, 'overview.html', markup(overview(world))));
	void app.register(async (forms) => {
		forms.addContentTypeParser('application/x-www-form-urlencoded', (_, body, done) => {
			body.resume().on('end', () => done(null));
		});
		forms.post('/sandbox/page/reset', (_, reply) => {
			world.reset();
			return reply.redirect('/', 303);
		});
		forms.post<{ Params: { ref: string; status: 'success' | 'failed' } }>(
			'/sandbox/page/settle/:ref/:status(^success$|^failed$)',
			({ params: { ref, status } }, reply) => {
				settleByHand(world, ref, { status });
				return reply.redirect('/', 303);
			},
		);
	});
}

const overview = (world: World): Html => {
	const { links, transactions, callbacks, requests } = stateView(world);
	const paid = transactions.filter(({ state }) => state === 'success').length;
	const waiting = transactions.filter(({ state }) => state === 'pending').length;
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>Sandbox</title>
				<link rel="icon" href="/sandbox/web/favicon.svg" type="image/svg+xml" />
				<link rel="stylesheet" href="/sandbox/web/overview.css" />
			</head>
			<body>
				<header>
					<h1>Sandbox</h1>
					<p id="counts">
						${links.length} links · ${paid} payments received · ${waiting} waiting ·
						${callbacks.length} callbacks
					</p>
					<a href="/">Load again</a>
					<form method="post" action="/sandbox/page/reset"><button>Reset</button></form>
				</header>
				${list('Links', links, linkRow)} ${list('Payments', transactions, paymentRow)}
				${list('Callbacks', callbacks, callbackRow)} ${list('Requests', requests, requestRow)}
			</body>
		</html>`;
};

const list = <T,>(title: string, all: readonly T[], row: (one: T) => Html): Html =>
	html` <section id="${title.toLowerCase()}">
		<h2>${title}</h2>
		${
			all.length === 0
				? html`<p>None yet.</p>`
				: html`<table>
						${all.slice(0, SHOWN).map(row)}
					</table>`
		}
		${all.length > SHOWN ? html`<p>The newest ${SHOWN} of ${all.length}.</p>` : null}
	</section>`;

const amount = ({ amount, currency }: { amount: number; currency: string }) =>
	`${moneyText(amount, currency)} ${currency}`;

/** A part of what was asked for is never shown as paid. */
function stateOf(link: PaymentLink): string {
	const { state, paid = link.amount, currency } = link;
	if (state !== 'paid' || paid >= link.amount) return state;
	return `part paid: ${moneyText(paid, currency)} of ${amount(link)}`;
}

const linkRow = (link: PaymentLink): Html =>
	html` <tr>
		<td>${link.createdAt}</td>
		<td>${link.order?.reference ?? link.reference}</td>
		<td>${link.item_name}</td>
		<td>${amount(link)}</td>
		<td class="${link.state}">${stateOf(link)}</td>
		<td>
			<a href="/pay/${encodeURIComponent(link.reference)}"
				>${link.state === 'open' ? 'Pay' : 'Open'}</a
			>
		</td>
	</tr>`;

const settling = (ref: string, status: 'success' | 'failed', label: string): Html =>
	html`<form method="post" action="/sandbox/page/settle/${encodeURIComponent(ref)}/${status}">
		<button>${label}</button>
	</form> `;

const paymentRow = (one: Transaction): Html =>
	html` <tr>
		<td>${one.created_at}</td>
		<td>${orderOf(one) ?? one.ref}</td>
		<td>${one.kind}</td>
		<td>${amount(one)}</td>
		<td class="${one.state}">${one.state}</td>
		<td>
			${one.state === 'pending' ? [settling(one.ref, 'success', 'Let it succeed'), settling(one.ref, 'failed', 'Let it fail')] : one.failureReason.failureMessage}
		</td>
	</tr>`;

const callbackRow = (one: Callback): Html =>
	html` <tr>
		<td>${one.attempts.at(-1)?.at}</td>
		<td>${one.reference}</td>
		<td class="address">${one.url}</td>
		<td class="${one.status}">${one.status}</td>
		<td>${one.attempts.map(({ status, error }) => String(status ?? error)).join(', ')}</td>
	</tr>`;

const requestRow = (one: LoggedRequest): Html =>
	html` <tr>
		<td>${one.at}</td>
		<td>${one.order}</td>
		<td>${one.method} ${one.path}</td>
		<td>${one.status ?? 'cut'}</td>
		<td>${one.message}${one.fault === null ? null : ` (fault: ${one.fault})`}</td>
		<td>${verdict(one)}</td>
	</tr>`;

function verdict({ verdict }: LoggedRequest): Part {
	if (verdict === null) return null;
	if (verdict.ok) return html`<span class="success">signature verified</span>`;
	const { explanation, reason, comparison } = verdict;
	return html`<details>
		<summary class="failed">refused: ${explanation ?? reason}</summary>
		${side('Text to sign', 'expected', comparison)}${side('As received', 'received', comparison)}
		<p>Signature expected <code>${verdict.expectedSignature}</code></p>
		<p>received <code>${verdict.receivedSignature}</code></p>
	</details>`;
}

const side = (title: string, name: 'expected' | 'received', comparison: readonly TextPart[]) =>
	html`<p>${title}</p>
		<pre>
${comparison.map((part) =>
				'same' in part ? shortened(part.same) : html`<mark>${part[name] || '␀'}</mark>`,
			)}</pre>`;

const shortened = (text: string): string =>
	text.length <= LONGEST_SAME
		? text
		: `${text.slice(0, LONGEST_SAME / 2)} … ${text.length - LONGEST_SAME} equal characters … ${text.slice(-LONGEST_SAME / 2)}`;
