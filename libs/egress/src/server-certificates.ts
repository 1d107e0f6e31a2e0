import type { TLSSocket } from 'node:tls';
import type { CertificateFacts } from '#libs/contracts';
import { certificateFacts } from './certificate-facts.js';

/** Origins remembered; the one seen first goes first. */
const MAX_ORIGINS = 10_000;

/** What servers presented in their last handshake. */
export class ServerCertificates {
  readonly #byOrigin = new Map<string, CertificateFacts>();

  /** Keeps what is presented on a connection whose handshake is done. */
  note(origin: string, socket: TLSSocket): void {
    const certificate = socket.getPeerX509Certificate();
    const known = this.#byOrigin.get(origin);
    if (certificate === undefined || known?.fingerprint === certificate.fingerprint256) return;
    try {
      this.#byOrigin.set(origin, certificateFacts(certificate));
    } catch {
      // It has no times that can be told, and there is nothing to watch.
      this.#byOrigin.delete(origin);
    }
    const [oldest] = this.#byOrigin.keys();
    if (this.#byOrigin.size > MAX_ORIGINS && oldest !== undefined) this.#byOrigin.delete(oldest);
  }

  of(origin: string): CertificateFacts | null {
    return this.#byOrigin.get(origin) ?? null;
  }
}
