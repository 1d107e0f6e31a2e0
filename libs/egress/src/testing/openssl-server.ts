import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from './certificates.js';

/**
 * `openssl s_server`, which requests a client certificate and refuses a wrong one with TLS's own alert (Node's server
 * closes the connection without one).
 */
export class OpensslServer {
  /** @param clientAuthority the required issuer of the client's certificate */
  static async start(
    server: Certificate,
    { clientAuthority, version }: { readonly clientAuthority: Certificate; readonly version: '1_2' | '1_3' },
  ): Promise<OpensslServer> {
    const folder = mkdtempSync(join(tmpdir(), 'openssl-server-'));
    writeFileSync(join(folder, 'server'), server.cert + server.key);
    writeFileSync(join(folder, 'authority'), clientAuthority.cert);
    const command = `s_server -accept 127.0.0.1:0 -cert server -key server -CAfile authority`;
    const process = spawn(
      'openssl',
      `${command} -Verify 3 -verify_return_error -tls${version} -www`.split(' '),
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    return new OpensslServer(process, folder, await portOf(process));
  }

  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    port: string,
  ) {
    this.url = `https://127.0.0.1:${port}/hook`;
  }

  readonly url: string;

  async stop(): Promise<void> {
    const exited = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exited;
    rmSync(this.folder, { recursive: true });
  }
}

/** The port from its output: `ACCEPT 127.0.0.1:40000`. */
async function portOf({ stdout }: ChildProcess): Promise<string> {
  let said = '';
  for await (const piece of stdout ?? []) {
    said += String(piece);
    const port = /ACCEPT \S+:(\d+)\n/.exec(said)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error(`openssl s_server does not listen: ${said}`);
}
