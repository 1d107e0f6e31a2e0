import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from 'jose';
import { Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import { freePort } from '#test/support/free-port';

const KEPT_FOR_SECONDS = 600;

/** An account at the provider. */
export interface Account {
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A replacement of ID tokens: with these claims changed, signed with the provider's key or with another one. */
export interface Forgery {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly key?: KeyObject;
}

const newRsaKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
/** A key that the provider does not publish. */
export const unpublishedKey = newRsaKey();

/** A real OpenID Connect provider on the loopback interface, with a login page that asks only for the account's name. */
export class OpenIdProviderServer {
  readonly clientId = 'dispatcher';
  readonly clientSecret = randomBytes(24).toString('hex');
  readonly accounts = new Map<string, Account>();
  /** Replaces its next ID tokens. */
  forgery: Forgery | null = null;
  private readonly key = newRsaKey();
  private server: Server;

  /** @param redirectUrl where it redirects browsers after login */
  static async start(redirectUrl: string): Promise<OpenIdProviderServer> {
    const provider = new OpenIdProviderServer(await freePort(), redirectUrl);
    await provider.listen();
    return provider;
  }

  private constructor(
    private readonly port: number,
    redirectUrl: string,
  ) {
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: this.clientId, client_secret: this.clientSecret, redirect_uris: [redirectUrl] }],
      jwks: { keys: [{ ...this.key.export({ format: 'jwk' }), kid: 'provider', use: 'sig', alg: 'RS256' }] },
      cookies: { keys: [randomBytes(24).toString('hex')] },
      claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'roles', 'groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/login/${uid}` },
      ttl: Object.fromEntries(
        ['Interaction', 'Session', 'Grant', 'AuthorizationCode', 'AccessToken', 'IdToken'].map((kind) => [
          kind,
          KEPT_FOR_SECONDS,
        ]),
      ),
      adapter: () => new InMemory(),
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ ...this.accounts.get(accountId)?.claims, sub: accountId }),
      }),
      // Every account consents to the client's scopes.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      if (context.path === '/token' && this.forgery !== null && typeof context.body === 'object')
        context.body = await this.forged(context.body, this.forgery);
    });
    const answer = provider.callback();
    this.server = createServer((request, response) => {
      if (request.url?.startsWith('/login/') !== true) return void answer(request, response);
      void this.login(provider, request, response);
    });
  }

  get issuer(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** The environment of an api that signs people in here. */
  environment(redirectUrl: string): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: this.clientId,
      OIDC_CLIENT_SECRET: this.clientSecret,
      OIDC_REDIRECT_URL: redirectUrl,
    };
  }

  /** Stops listening and closes all connections. */
  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  async listen(): Promise<void> {
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /**
   * Signs in as a browser does, from the address that the api redirects to.
   * @returns the query of the redirect back to the api
   */
  async signIn(location: string, accountId: string): Promise<string> {
    const jar = new Map<string, string>();
    let url = new URL(location);
    let form: URLSearchParams | null = null;
    while (url.origin === this.issuer) {
      const answer: Response = await fetch(url, {
        method: form === null ? 'GET' : 'POST',
        ...(form === null ? {} : { body: form }),
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        redirect: 'manual',
      });
      const page = await answer.text();
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        jar.set(name, value);
      }
      const next = answer.headers.get('location');
      if (next === null && !page.includes('<form')) throw new Error(`The provider answered: ${page}`);
      form = next === null ? new URLSearchParams({ account: accountId }) : null;
      if (next !== null) url = new URL(next, url);
    }
    return url.search.slice(1);
  }

  private async login(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>The bank’s sign-on</title>' +
          '<form method="post"><label>Account <input name="account"></label><button>Log in</button></form></html>',
      );
      return;
    }
    const accountId = new URLSearchParams(await text(request)).get('account') ?? '';
    await provider.interactionFinished(request, response, { login: { accountId } });
  }

  private async forged(body: object, { claims = {}, key = this.key }: Forgery): Promise<object> {
    const given = 'id_token' in body && typeof body.id_token === 'string' ? body.id_token : '';
    const payload: JWTPayload = { ...decodeJwt(given), ...claims };
    const header = { ...decodeProtectedHeader(given), alg: 'RS256' };
    return { ...body, id_token: await new SignJWT(payload).setProtectedHeader(header).sign(key) };
  }
}

/** The provider's storage of one kind. The provider checks expiry itself. */
class InMemory implements Adapter {
  private readonly kept = new Map<string, AdapterPayload>();

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.kept.set(id, payload);
  }
  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.kept.get(id);
  }
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.kept.values()].find((payload) => payload.uid === uid);
  }
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }
  async consume(id: string): Promise<void> {
    const payload = this.kept.get(id);
    if (payload !== undefined) payload.consumed = true;
  }
  async destroy(id: string): Promise<void> {
    this.kept.delete(id);
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.kept) if (payload.grantId === grantId) this.kept.delete(id);
  }
}
