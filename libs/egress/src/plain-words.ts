import { TLS_FAULTS } from '#libs/contracts';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'host name does not exist'],
  ['ENODATA', 'host name has no address'],
  ['EAI_AGAIN', 'name server does not answer'],
  ['EAI_NODATA', 'host name has no address'],

  ['ECONNREFUSED', 'connection refused'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['EHOSTDOWN', 'host is down'],
  ['EACCES', 'connection forbidden by a local rule'],
  ['EPERM', 'connection forbidden by a local rule'],

  ['ECONNRESET', 'connection closed during the TLS handshake'],
  ['CERT_HAS_EXPIRED', TLS_FAULTS.serverExpired],
  ['CERT_NOT_YET_VALID', 'certificate is not valid yet'],
  ['CERT_REVOKED', 'certificate was revoked'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', TLS_FAULTS.serverSelfSigned],
  ['SELF_SIGNED_CERT_IN_CHAIN', TLS_FAULTS.serverUntrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', TLS_FAULTS.serverUntrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', TLS_FAULTS.serverUntrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', TLS_FAULTS.serverUntrusted],
  ['ERR_TLS_CERT_ALTNAME_INVALID', TLS_FAULTS.serverOtherHost],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the server does not speak TLS on this port'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'the server does not speak TLS on this port'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'the server offers no TLS 1.2 or 1.3'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'the server offers no TLS 1.2 or 1.3'],

  // A server's alerts about certificates are about the client's.
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', TLS_FAULTS.clientMissing],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', TLS_FAULTS.clientExpired],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED', TLS_FAULTS.clientRevoked],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', TLS_FAULTS.clientUntrusted],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', TLS_FAULTS.clientRefused],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', TLS_FAULTS.clientRefused],
  ['ERR_SSL_SSL/TLS_ALERT_UNSUPPORTED_CERTIFICATE', TLS_FAULTS.clientRefused],
  ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', TLS_FAULTS.clientRefused],
  // TLS 1.2 has no alert for a missing certificate.
  [
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    'the server refuses the handshake: it may ask for a client certificate, or for other ciphers',
  ],

  ['EMFILE', 'this process has too many open sockets'],
  ['ENFILE', 'this machine has too many open files'],
  ['ENOBUFS', 'this machine has no buffers left'],
  ['ENOMEM', 'this machine has no memory left'],
  ['EADDRNOTAVAIL', 'this machine has no free local port'],
  ['UND_ERR_CLOSED', 'the dispatcher is stopping'],
  ['UND_ERR_DESTROYED', 'the dispatcher is stopping'],
]);

const CODE = /^[A-Z0-9_/]{2,64}$/;

/**
 * An error code of Node or OpenSSL in plain words for on-call staff. Error messages are not used: they quote what the
 * other side sent.
 *
 * @param otherwise the words for an unknown code, which follows in brackets.
 */
export function plainWords(code: string, otherwise: string): string {
  return WORDS.get(code) ?? (CODE.test(code) ? `${otherwise} (${code})` : otherwise);
}
