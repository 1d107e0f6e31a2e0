import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Self-signed by default. */
  readonly issuer?: Certificate;
  /** True by default for a self-signed certificate. */
  readonly isAuthority?: boolean;
  /** Extended key usage as openssl writes it: `serverAuth`, `clientAuth`. */
  readonly usage?: string;
  readonly commonName?: string;
}

/**
 * Makes a certificate with the openssl command.
 *
 * @param subjectAltName as openssl writes it: `IP:127.0.0.1,DNS:localhost`.
 * @param days of validity from now on; negative: it has expired already.
 */
export function makeCertificate(
  subjectAltName: string,
  days = 1,
  { issuer, isAuthority = issuer === undefined, usage, commonName = 'consumer' }: CertificateOptions = {},
): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  try {
    const extensions = [
      `subjectAltName=${subjectAltName}`,
      `basicConstraints=CA:${isAuthority ? 'TRUE' : 'FALSE'}`,
      ...(usage === undefined ? [] : [`extendedKeyUsage=${usage}`]),
    ];
    writeFileSync(join(folder, 'extensions'), `${extensions.join('\n')}\n`);
    openssl(
      `req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${commonName} -keyout key -out request`,
    );
    if (issuer !== undefined) {
      writeFileSync(join(folder, 'issuer'), issuer.cert + issuer.key);
    }
    const signing = issuer === undefined ? '-signkey key' : '-CA issuer -CAkey issuer -CAcreateserial';
    openssl(`x509 -req -in request ${signing} -days ${days} -extfile extensions -out cert`);
    return { cert: read('cert'), key: read('key') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A certificate authority with this name. */
export const makeAuthority = (commonName: string, days = 1): Certificate =>
  makeCertificate(`DNS:${commonName}`, days, { commonName });
