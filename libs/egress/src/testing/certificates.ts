import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/**
 * Makes a self-signed certificate with the openssl command.
 *
 * @param subjectAltName as openssl writes it: `IP:127.0.0.1,DNS:localhost`.
 * @param days its life from now on; negative: it has ended already.
 */
export function makeCertificate(subjectAltName: string, days = 1): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  try {
    writeFileSync(join(folder, 'extensions'), `subjectAltName=${subjectAltName}\nbasicConstraints=CA:TRUE\n`);
    openssl(
      'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=consumer -keyout key -out request',
    );
    openssl(`x509 -req -in request -signkey key -days ${days} -extfile extensions -out cert`);
    return { cert: read('cert'), key: read('key') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
