import type { DeliveryDto, DeliveryListDto } from '../resources/deliveries/delivery.dto.js';

/** Path of the portal without JavaScript. */
export const BASIC_PORTAL = '/portal/basic';

/** Nothing but the page itself and its forms. */
export const BASIC_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // With `no-referrer`, browsers send the forms with `Origin: null`.
  'referrer-policy': 'same-origin',
};

/** The page for a person who is not signed in. */
export const signInPage = (notice = ''): string =>
  page(
    'Sign in',
    notice,
    `<p>Here you see what your server has not received, and resend it. This page needs no JavaScript.</p>
    <form method="post" action="${BASIC_PORTAL}/sign-in">
      <p><label for="secret">Your sign-in link, or an API key</label><br>
      <input id="secret" name="secret" type="password" autocomplete="current-password" required maxlength="1000"></p>
      <p><button>Sign in</button></p>
    </form>`,
  );

/** What a consumer's server has not received, newest first. */
export function missedPage(name: string, { deliveries, pagination }: DeliveryListDto, notice = ''): string {
  const rows = deliveries.map(
    (delivery) =>
      `<tr><th scope="row">${escaped(paymentOf(delivery))}</th><td>${escaped(delivery.status ?? '')}</td>
      <td>${instant(delivery.createdAt)}</td><td>${whatHappens(delivery)}</td><td>${resend(delivery)}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? '<p>Your server has received everything.</p>'
      : `<table><caption>Not delivered, newest first</caption>
      <thead><tr>${['Payment', 'Status', 'Accepted', 'What happens', 'Resend'].map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
      <tbody>${rows.join('\n')}</tbody></table>`;
  const more = pagination.moreRecords
    ? '<p>There are older ones. You see them when these are delivered.</p>'
    : '';
  const signOut = `<form method="post" action="${BASIC_PORTAL}/sign-out"><p><button>Sign out</button></p></form>`;
  return page(name, notice, table + more + signOut);
}

/** The page for a request that was refused. */
export const refusedPage = (reason: string): string =>
  page('Not done', reason, `<p><a href="${BASIC_PORTAL}">Back</a></p>`);

const page = (title: string, notice: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escaped(title)} · Payment notifications</title>
    <link rel="icon" href="data:,">
  </head>
  <body><main>
    <h1>${escaped(title)}</h1>
    ${notice === '' ? '' : `<p role="status"><strong>${escaped(notice)}</strong></p>`}
    ${content}
  </main></body>
</html>
`;

/** What happens next, in the words of the portal. */
function whatHappens({ state, nextAttemptAt, settlement, lastHttpStatus }: DeliveryDto): string {
  const answer = lastHttpStatus === null ? '' : `Your server answered ${String(lastHttpStatus)}. `;
  switch (state) {
    case 'queued':
      return `${answer}We try again at ${instant(nextAttemptAt)}.`;
    case 'sending':
      return 'We are sending it now.';
    case 'held':
      return `${answer}It waits, and we send it later.`;
    case 'dead':
      return `${answer}${settlement === null ? 'We stopped trying; resend it.' : 'We stopped trying. The bank has dealt with it in another way.'}`;
    case 'cancelled':
      return 'The bank has cancelled it. Ask the bank to send it.';
    case 'delivered':
      return 'Your server has received it.';
  }
}

const resend = (delivery: DeliveryDto): string =>
  delivery.state === 'cancelled' || delivery.state === 'sending'
    ? ''
    : `<form method="post" action="${BASIC_PORTAL}/resend"><input type="hidden" name="id" value="${escaped(delivery.deliveryId)}">
      <button aria-label="Resend ${escaped(paymentOf(delivery))} ${escaped(delivery.status ?? '')}">Resend</button></form>`;

const paymentOf = ({ paymentId, notificationId }: DeliveryDto): string => paymentId ?? notificationId;

const instant = (at: string | null): string =>
  at === null ? 'the next time' : `${at.slice(0, 16).replace('T', ' ')} UTC`;

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);
