import { expect, it } from 'vitest';
import { CONSOLE_PATHS } from '#apps/api/src/console/console-paths';
import { System } from '#test/support/system';

const system = await System.shared(0);

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${system.api.baseUrl}${path}`, { redirect: 'manual', ...init });

it.each(['/', ...CONSOLE_PATHS.map((path) => `/${path}`), '/deliveries/any/thing?state=held'])(
  'the console’s page is served at %s and not cached',
  async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain('<div id="root">');
  },
);

it.each(['/nowhere', '/queue', '/deliveriesx', '/v1x'])(
  'a browser gets the console’s page with 404 at the unknown path %s',
  async (path) => {
    const answer = await get(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await answer.text()).toContain('<div id="root">');
  },
);

it('the console’s page may run only its own scripts and styles', async () => {
  const [one, other] = [await get('/'), await get('/')];
  const policy = one.headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(policy.replace(nonce, 'N').split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'nonce-N'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ]);
  expect(other.headers.get('content-security-policy')).not.toBe(policy);
  const html = await one.text();
  expect(html).toContain(`nonce="${nonce}"`);
  expect(html).not.toMatch(/PLACEHOLDER|https?:\/\//);
  expect(Object.fromEntries(one.headers)).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': expect.stringContaining('camera=()'),
  });
});

it('the console’s files are cached for ever, and no other file is served', async () => {
  const html = await (await get('/')).text();
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThanOrEqual(2);
  for (const file of files) {
    const answer = await get(file);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
  for (const path of ['/assets/', '/assets/nothing.js', '/assets/..%2findex.html', '/index.html'])
    expect([path, [403, 404].includes((await get(path)).status)]).toEqual([path, true]);
});

it.each([
  ['GET', '/v1/nothing', 'text/html'],
  ['GET', '/assets/nothing.js', 'text/html'],
  ['GET', '/docs/nothing', 'text/html'],
  ['POST', '/nothing', 'text/html'],
  ['GET', '/nothing', '*/*'],
  ['GET', '/nothing', 'application/json'],
])('%s %s with Accept %s gets a problem in JSON, not the console’s page', async (method, path, accept) => {
  const key = { authorization: `Bearer ${system.adminKey}` };
  const answer = await get(path, { method, headers: { accept, ...key } });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
});
