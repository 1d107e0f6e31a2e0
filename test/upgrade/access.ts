import { randomUUID } from 'node:crypto';
import { ApiClient } from '#test/support/api-client';

/** An API key and a console session that one version has made. */
export interface Access {
  readonly madeBy: string;
  readonly key: string;
  readonly cookie: string;
}

export async function makeAccess(api: string, adminKey: string, madeBy: string): Promise<Access> {
  const { key } = await new ApiClient(api, adminKey).createKey(`person ${randomUUID()}`, 'viewer');
  const answer = await fetch(`${api}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey: key }),
  });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`${madeBy} began no session: ${await answer.text()}`);
  return { madeBy, key, cookie };
}

/** @returns what an api of another version does not accept */
export async function accessFaults(
  apis: readonly string[],
  { madeBy, key, cookie }: Access,
): Promise<string[]> {
  const tries = {
    key: { authorization: `Bearer ${key}` },
    cookie: { cookie, 'sec-fetch-site': 'same-origin' },
  };
  const faults: string[] = [];
  for (const api of apis)
    for (const [what, headers] of Object.entries(tries)) {
      const { status } = await fetch(`${api}/v1/consumers`, { headers });
      if (status !== 200) faults.push(`the ${what} made by ${madeBy} got ${String(status)}`);
    }
  return faults;
}
