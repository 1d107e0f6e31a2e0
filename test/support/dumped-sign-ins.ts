import { randomBytes } from 'node:crypto';
import type { Dump } from '#test/support/dump';

/** Sign-ins of a browser, whose secrets no table, log or answer may contain. */
export class DumpedSignIns {
  constructor(
    private readonly dump: Dump,
    private readonly ownOrigin: string,
  ) {}

  /** Signs in with a valid key, and reads who it is by its session; then from another site's page. */
  async validKey(apiKey: string): Promise<void> {
    const cookie = this.plantSession(await this.post('/v1/session', { apiKey }));
    requireStatus(await this.dump.ask('browser', 'GET', '/v1/me', { headers: { cookie } }), 200);
    requireStatus(await this.post('/v1/session', { apiKey }, 'https://elsewhere.example'), 403);
  }

  /** @returns the key */
  async unknownKey(): Promise<string> {
    const apiKey = `pnd_${randomBytes(12).toString('hex')}`;
    this.dump.plant('an unknown key', apiKey);
    requireStatus(await this.post('/v1/session', { apiKey }), 401);
    return apiKey;
  }

  /** Uses a created sign-in link twice: only the first use succeeds. */
  async link(created: Response): Promise<void> {
    const { url }: { url: string } = JSON.parse(await created.text());
    const token = url.split('#link=')[1] ?? '';
    this.dump.plant('the token of a sign-in link', token, /^answer to admin: POST .*\/sign-in-links$/);
    this.plantSession(await this.post('/v1/session/link', { token }));
    requireStatus(await this.post('/v1/session/link', { token }), 401);
  }

  private post(path: string, body: object, origin = this.ownOrigin): Promise<Response> {
    return this.dump.ask('browser', 'POST', path, { body: JSON.stringify(body), headers: { origin } });
  }

  /** @returns the session's cookie */
  private plantSession(answer: Response): string {
    requireStatus(answer, 200);
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    this.dump.plant('a session', cookie.split('=')[1] ?? '');
    return cookie;
  }
}

function requireStatus({ url, status }: Response, expected: number): void {
  if (status !== expected) throw new Error(`${url} answered ${String(status)}, not ${String(expected)}`);
}
