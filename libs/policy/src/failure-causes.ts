import { TLS_FAULTS, type Outcome, type Side } from '#libs/contracts';

/**
 * What has happened and the first step, in one or two sentences. For operators it can name settings, and does not mention
 * retries, which the delivery's state shows. For the consumer's own people it names no setting, address or person of the bank.
 */
export type Advice = readonly [operator: string, consumer: string];

/** Why no final status came, or an acknowledgement: the console's name for it, the probable place of the fault, and advice. */
export const BY_OUTCOME: Readonly<
  Record<Exclude<Outcome, 'http_status' | 'redirect'>, readonly [words: string, side: Side | null, ...Advice]>
> = {
  acknowledged: [
    'Acknowledged',
    null,
    'Nothing to do: the consumer has acknowledged it.',
    'Your server acknowledged it. There is nothing to do.',
  ],
  timeout: [
    'No answer in time',
    'theirs',
    'No answer within the consumer’s timeout. Ask the consumer to acknowledge first and work afterwards; raise timeoutMs only if it cannot.',
    'Your server did not answer in time. Acknowledge a notification first, and process it afterwards.',
  ],
  dns: [
    'Host name not found',
    'line',
    'The host name of the URL cannot be resolved. Check the URL for a typing error, then ask the consumer about its DNS.',
    'The host name of your URL cannot be resolved. Check your public DNS records, and the URL for a typing error.',
  ],
  connect: [
    'Could not connect',
    'line',
    'No connection: no service listens there, or a firewall refuses it. Check host and port of the URL, and ask the consumer whether its service runs and admits our addresses.',
    'No connection to your server: no service listens there, or a firewall refuses the connection. Check the service, the port of the URL and your firewall.',
  ],
  tls: [
    'Certificate or TLS problem',
    'theirs',
    'No TLS connection: a certificate is not accepted, or TLS 1.2 is not offered. The detail shows which; usually the consumer has to correct it.',
    'No TLS connection to your server. Check that it offers TLS 1.2 or later, and its certificate.',
  ],
  reset: [
    'Connection lost',
    'line',
    'The connection broke before an answer came. Often a proxy or a restart at the consumer, or a wrong client certificate that it refuses without a message; if it continues, ask the consumer to check its proxy’s log at the time of the attempt.',
    'Your server closed the connection before it answered. Check the log of your server and of the proxy in front of it at the time of the attempt.',
  ],
  blocked_address: [
    'Address not allowed',
    'ours',
    'The URL leads to an address that the dispatcher must not reach (private, local or reserved). Correct the URL; if the address is meant, the installation’s EGRESS_ALLOW has to name it.',
    'Your URL leads to an address to which the bank does not send, such as a private one. Request a change to a public address, or ask the bank.',
  ],
  invalid_response: [
    'Invalid HTTP answer',
    'theirs',
    'The answer is not HTTP/1.1. Check the port of the URL: something else may listen there.',
    'The answer of your server is not HTTP/1.1. Check the port of the URL: something else may listen there.',
  ],
};

const NEW_CERTIFICATE =
  'add a version of its credentials with a new client certificate, and send a test delivery';
const NO_VALID_CERTIFICATE =
  'Your server asks for a client certificate, and the bank sends no valid one. Contact the bank.';
const REFUSED_CERTIFICATE =
  'Your server refuses the client certificate of the bank. Compare it with the one that your server admits, or contact the bank.';

/** Faults of the consumer's certificate, by the detail of the attempt. */
export const BY_SERVER_FAULT: ReadonlyMap<string, Advice> = new Map(
  Object.entries<Advice>({
    [TLS_FAULTS.serverExpired]: [
      'The consumer’s certificate, or one that has issued it, has expired: the consumer has to renew it. If the expired one is its private authority’s, ask for the new one and change caCertificate.',
      'The certificate of your server, or one that issued it, has expired. Renew it.',
    ],
    [TLS_FAULTS.serverUntrusted]: [
      'The consumer’s certificate comes from an authority that we do not know. If that authority is the consumer’s own, have it sent over a channel that you trust and set caCertificate.',
      'The certificate of your server comes from an authority that the bank does not trust. Use a public authority, and send the intermediate certificates; or agree on your own authority with the bank.',
    ],
    [TLS_FAULTS.serverSelfSigned]: [
      'The consumer’s certificate is self-signed. If it is meant to be, have it sent over a channel that you trust and set it as caCertificate.',
      'The certificate of your server is self-signed. Use one of a public authority, or agree on it with the bank.',
    ],
    [TLS_FAULTS.serverOtherHost]: [
      'The consumer’s certificate is for another host name. Compare the host of the URL with the consumer; if it is right, the consumer has to get a certificate for it.',
      'The certificate of your server is for another host name. Install one for the host of your URL.',
    ],
  }),
);

/** Faults of our client certificate, by the detail of the attempt. */
export const BY_CLIENT_FAULT: ReadonlyMap<string, Advice> = new Map(
  Object.entries<Advice>({
    [TLS_FAULTS.clientMissing]: [
      `The consumer asks for a client certificate, and none is registered: ${NEW_CERTIFICATE}.`,
      NO_VALID_CERTIFICATE,
    ],
    [TLS_FAULTS.clientExpired]: [
      `The consumer refuses our client certificate because it has expired: ${NEW_CERTIFICATE}.`,
      NO_VALID_CERTIFICATE,
    ],
    [TLS_FAULTS.clientRevoked]: [
      `The consumer refuses our client certificate because it was revoked: ${NEW_CERTIFICATE}.`,
      NO_VALID_CERTIFICATE,
    ],
    [TLS_FAULTS.clientUntrusted]: [
      'The consumer does not know the authority that has issued our client certificate. Ask which one it admits; the certificate may also lack those between it and that authority.',
      REFUSED_CERTIFICATE,
    ],
    [TLS_FAULTS.clientRefused]: [
      'The consumer refuses our client certificate. Compare its subject and fingerprint with what the consumer admits, then send a test delivery.',
      REFUSED_CERTIFICATE,
    ],
  }),
);

/** Statuses with a specific cause (RFC 9110, section 15; RFC 6585). The sentences continue the status: `503: …`. */
const BY_STATUS: Readonly<Record<number, Advice>> = {
  400: [
    'the consumer does not understand the notification. Read its answer, and compare the body with the specification.',
    'it does not understand the notification. Compare the body of the delivery with what your server expects.',
  ],
  401: [
    'the consumer refuses the Basic credentials or the signature. Ask it which of the two. Credentials: compare the user name, and look for a rotation on either side. Signature: use “Explain the signature”.',
    'it refuses the user name and password, or the signature. Compare the credentials; for the signature see the verification example.',
  ],
  403: [
    'the consumer forbids the request. Ask whether our addresses are allowed and the user name has the permission; then compare credentials and signature as for 401.',
    'it forbids the request. Check that your firewall or gateway admits the bank’s addresses; then compare credentials and signature.',
  ],
  404: [
    'nothing is at this path. Compare the path of the URL with the consumer’s, to the last /.',
    'there is nothing at this path. Compare the path of the URL with your server’s, to the last /.',
  ],
  405: [
    'the path does not accept POST. Compare the path of the URL with the consumer’s, to the last /.',
    'the path does not accept POST. Compare the path of the URL with your server’s, to the last /.',
  ],
  406: [
    'the consumer cannot send an answer of a type that it thinks is required. It should answer 2xx with any type; its developer has to change that.',
    'it cannot send an answer of a type that it thinks is required. Answer 2xx with any type.',
  ],
  407: [
    'a proxy on the way asks for credentials, which the dispatcher does not send. Ask the consumer whether the proxy is its own.',
    'a proxy in front of it asks for credentials, which the bank does not send. Admit the bank’s requests without them.',
  ],
  408: [
    'the consumer waited too long for the request. Usually a proxy in front of it is overloaded.',
    'it waited too long for the request. Usually a proxy in front of it is overloaded.',
  ],
  409: [
    'the consumer sees a conflict, often a notification that it has already. It should acknowledge repeats with 2xx: it may get each more than once.',
    'it sees a conflict, often a notification that it has already. Acknowledge repeats with 2xx: each can arrive more than once.',
  ],
  410: [
    'the consumer reports that this address is gone for good, and is paused. Ask for the new URL, change it, test it, and resume.',
    'this address is gone for good. Sending is paused; request a change of the URL, or contact the bank.',
  ],
  411: [
    'a proxy at the consumer requires Content-Length, which the dispatcher sends. The operator of the proxy has to correct it.',
    'a proxy in front of it requires Content-Length, which the bank sends. Correct the proxy.',
  ],
  413: [
    'the consumer refuses a body of this size. It has to accept 256 KiB.',
    'the body is too large for it. It has to accept 256 KiB.',
  ],
  414: [
    'the URL is too long for the consumer. Agree on a shorter one.',
    'the URL is too long for it. Request a change to a shorter one.',
  ],
  415: [
    'the consumer does not accept application/json. Its developer has to change that.',
    'it does not accept application/json. Change that in your server.',
  ],
  422: [
    'the consumer finds the content wrong. Read its answer; if the content follows the specification, its developer has to correct the check.',
    'it finds the content wrong. See its answer in the attempt, and correct the check.',
  ],
  429: [
    'the dispatcher sends faster than the consumer accepts. Agree on a rate and set maxPerSecond or maxConcurrency.',
    'notifications arrive faster than it accepts. Agree on a rate with the bank.',
  ],
  431: [
    'the consumer finds the headers too large. Ask whether its proxy adds some.',
    'it finds the headers too large. Check whether your proxy adds some.',
  ],
  500: [
    'the consumer’s program failed. If it continues, call the contact; if one payment fails alone, give the consumer its notificationId.',
    'its program failed. See its log at the time of the attempt.',
  ],
  501: [
    'the consumer’s server does not support the request. Compare the URL with the consumer’s.',
    'it does not support the request. Compare the URL with your server’s.',
  ],
  502: [
    'a proxy at the consumer does not reach its service. If it continues, call the contact.',
    'a proxy in front of it does not reach it. Check the service behind the proxy.',
  ],
  503: [
    'the consumer reports that it is unavailable. If it continues, call the contact.',
    'it is unavailable. Check whether it runs and is not overloaded.',
  ],
  504: [
    'a proxy at the consumer got no answer from its service in time. If it continues, call the contact.',
    'a proxy in front of it got no answer in time. Acknowledge first, and process afterwards.',
  ],
  511: [
    'a network on the way asks for a sign-in. Ask the consumer which of its networks that is.',
    'a network in front of it asks for a sign-in. Admit the bank’s requests without one.',
  ],
};

const REDIRECT: Advice = [
  'the consumer redirects, and redirects are not followed. Ask it for the final address and change the URL; it is signed, so both sides must use the same.',
  'it redirects, and redirects are not followed. Request a change of the URL to the final address; the URL is signed, so both sides must use the same.',
];
const REFUSAL: Advice = [
  'the consumer refuses the notification. Read its answer in the attempt and ask the consumer what it means.',
  'it refused the notification. See its answer in the attempt, and its log.',
];
const SERVER_FAULT: Advice = [
  'a fault of the consumer. If it continues, call the contact.',
  'a fault of your server. See its log at the time of the attempt.',
];

const SIGNATURE_REFUSED: Advice = [
  'the consumer refuses the signature. Compare the text that was signed (“Explain the signature” on the delivery) with the one that the consumer signs, and look for a rotation of the secret on either side.',
  'it refuses the signature. Compare it with the verification example.',
];

/** The advice about an answer that does not acknowledge; the sentences continue its status. `answer`: its body, or empty. */
export function adviceOfStatus(
  outcome: 'http_status' | 'redirect',
  status: number | null,
  answer: string,
): Advice {
  if (outcome === 'redirect') return REDIRECT;
  if ((status ?? 0) < 500 && /signature/i.test(answer)) return SIGNATURE_REFUSED;
  return BY_STATUS[status ?? 0] ?? ((status ?? 0) >= 500 ? SERVER_FAULT : REFUSAL);
}

/** The probable place of the fault: 407 and 511 come from a proxy in between; 429 means that the dispatcher sends too fast. */
export const sideOfStatus = (status: number | null): Side =>
  status === 429 ? 'ours' : status === 407 || status === 511 ? 'line' : 'theirs';
