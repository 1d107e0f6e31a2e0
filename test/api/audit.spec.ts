import { expect, it } from 'vitest';
import type { AuditEntryDto, AuditListDto } from '#apps/api/src/resources/audit/audit.dto';
import type { Role } from '#libs/contracts';
import { runSql } from '#test/support/run-sql';
import { System } from '#test/support/system';
import { registration } from '#test/support/registration';

const system = await System.start({ backend: 'redis', workers: 0 });

const consumerId = (await system.client.registerConsumer(registration())).id;

const clientOf = (...roles: Role[]) => system.clientOf(roles, `a ${roles.join(' and ')}`);
const read = async (query: Record<string, string>, client = system.client): Promise<AuditEntryDto[]> => {
  const { status, body } = await client.call<AuditListDto>(
    'GET',
    `/v1/audit?${new URLSearchParams(query).toString()}`,
  );
  expect(status).toBe(200);
  return body.entries;
};
const target = (): string => `consumer:${consumerId}`;

it('the audit log shows who did what, in which role, from where and why, newest first', async () => {
  const operator = await clientOf('operator', 'producer');
  await operator.pauseConsumer(consumerId);
  await operator.resumeConsumer(consumerId);
  const entries = await read({ target: target() });
  expect(entries.map(({ action }) => action)).toEqual([
    'consumer.resumed',
    'consumer.paused',
    'consumer.registered',
  ]);
  expect(entries[1]).toEqual({
    id: expect.stringMatching(/^\d+$/),
    at: expect.any(String),
    actor: 'a operator and producer',
    role: 'operator, producer',
    action: 'consumer.paused',
    target: target(),
    targetName: 'Acme',
    address: '127.0.0.1',
    reason: 'maintenance',
    details: {},
    before: null,
    after: null,
  });
  expect(entries[2]).toMatchObject({ actor: 'admin', role: 'admin' });
});

it('the audit log keeps the values before and after a change, and only the version numbers of credentials', async () => {
  await system.client.call('PATCH', `/v1/consumers/${consumerId}`, {
    name: 'Acme',
    timeoutMs: 5_000,
    achCompanyIds: ['1'],
  });
  const [changed] = await read({ action: 'consumer.changed' });
  expect(changed).toMatchObject({
    details: { changed: ['name', 'timeoutMs', 'achCompanyIds'] },
    before: { timeoutMs: 10_000, achCompanyIds: [] },
    after: { timeoutMs: 5_000, achCompanyIds: ['1'] },
  });
  expect(Object.keys(changed?.after ?? {})).toHaveLength(2);

  await system.client.addCredentials(consumerId, { password: 'the second password', reason: 'it leaked' });
  await system.client.activateCredentials(consumerId, 1);
  const [activated, added] = await read({ target: target() });
  expect(added).toMatchObject({
    action: 'credentials.added',
    reason: 'it leaked',
    details: { credentialVersion: 2, changed: ['password'], secretGenerated: false },
    before: { credentialVersion: 1 },
    after: { credentialVersion: 2 },
  });
  expect(activated).toMatchObject({
    action: 'credentials.activated',
    before: { credentialVersion: 2 },
    after: { credentialVersion: 1 },
  });
  const activateAt = new Date(Date.now() + 3_600_000).toISOString();
  await system.client.addCredentials(consumerId, { password: 'the third password', activateAt });
  expect((await read({ target: target() }))[0]).toMatchObject({
    action: 'credentials.added',
    details: { credentialVersion: 3, activateAt },
    before: null,
    after: null,
  });
  expect(JSON.stringify(await read({}))).not.toMatch(/password of|(second|third) password|whsec_/);
});

it('the audit log can be filtered by each field and paged', async () => {
  const [newest, second] = await read({});
  expect(await read({ limit: '1', offset: '1' })).toEqual([second]);
  for (const actor of ['a operator and producer', 'OPERATOR'])
    expect((await read({ actor })).map(({ action }) => action)).toEqual([
      'consumer.resumed',
      'consumer.paused',
    ]);
  expect(await read({ actor: 'a%operator' })).toEqual([]);
  expect(await read({ from: newest?.at ?? '' })).toContainEqual(newest);
  expect(await read({ to: '2025-01-01T00:00:00Z' })).toEqual([]);
  expect(await read({ action: 'consumer.paused', target: 'queue' })).toEqual([]);
  expect((await system.client.call('GET', '/v1/audit?action=consumer.exploded')).status).toBe(400);
  const wrong = await system.client.call<{ errors: { field: string }[] }>(
    'GET',
    '/v1/audit?from=yesterday&limit=0&who=me',
  );
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors.map(({ field }) => field).toSorted()).toEqual(['from', 'limit', 'who']);
});

it('an audit entry shows the name of its consumer or API key, also after removal, and no name of other targets', async () => {
  const gone = await system.client.registerConsumer(registration({ name: 'Gone' }));
  await system.client.call('DELETE', `/v1/consumers/${gone.id}`);
  await system.client.setSending('resume');
  const nameOf = async (query: Record<string, string>): Promise<unknown> =>
    (await read(query)).map(({ targetName }) => targetName);
  expect(await nameOf({ target: `consumer:${gone.id}` })).toEqual(['Gone', 'Gone']);
  expect(await nameOf({ action: 'api-key.created', limit: '1' })).toEqual(['a operator and producer']);
  expect(await nameOf({ target: 'queue' })).toEqual([null]);
});

it('the audit log shows the dispatcher’s own entries without a role', async () => {
  await runSql(
    system.databaseUrl,
    `insert into audit_log (actor, action, target) values ('dispatcher', 'consumer.circuit_opened', $1)`,
    [target()],
  );
  expect((await read({ actor: 'dispatcher' }))[0]).toMatchObject({ role: null, address: null });
});

it('the audit log is read forward from an id, oldest first, with the same filters', async () => {
  const all = (await read({ limit: '1000' })).toReversed();
  const [first, second] = all;
  expect(await read({ after: '0', limit: '1000' })).toEqual(all);
  expect(await read({ after: first?.id ?? '', limit: '1' })).toEqual([second]);
  expect(await read({ after: all.at(-1)?.id ?? '' })).toEqual([]);
  expect(await read({ after: first?.id ?? '', action: 'consumer.resumed', target: target() })).toEqual(
    all.filter((entry) => entry.action === 'consumer.resumed' && entry.target === target()),
  );
  for (const query of ['after=-1', 'after=x', 'after=1&offset=0'])
    expect((await system.client.call('GET', `/v1/audit?${query}`)).status).toBe(400);
});

it('the audit log is exported as one JSON entry per line, or as CSV without formulas', async () => {
  await system.client.call('POST', `/v1/consumers/${consumerId}/pause`, { reason: '=1+1, "x"' });
  const as = async (accept: string, query: string): Promise<{ type: string | null; text: string }> => {
    const response = await fetch(`${system.api.baseUrl}/v1/audit${query}`, {
      headers: { authorization: `Bearer ${system.adminKey}`, accept },
    });
    expect(response.status).toBe(200);
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
  const all = await read({ limit: '1000' });
  const lines = await as('application/x-ndjson', '');
  expect(lines.type).toBe('application/x-ndjson');
  expect(lines.text.endsWith('\n')).toBe(true);
  expect(
    lines.text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual(all);
  expect((await as('application/x-ndjson', '?after=0&limit=2')).text.split('\n')).toHaveLength(3);
  const { text } = await as('text/csv', '?action=consumer.paused&limit=1');
  const [header, record] = text.split('\r\n');
  expect(header?.replaceAll('"', '')).toBe(
    'id,at,actor,role,action,target,targetName,address,reason,details,before,after',
  );
  expect(record).toContain(
    `,"admin","admin","consumer.paused","${target()}","Acme","127.0.0.1","'=1+1, ""x""","{}",,`,
  );
});

it('an admin reads the whole audit log; viewers, on-call staff and operators read that of one consumer', async () => {
  for (const role of ['viewer', 'oncall', 'operator'] as const) {
    const client = await clientOf(role);
    expect((await read({ target: target() }, client)).length).toBeGreaterThan(0);
    for (const query of ['', '?target=queue', '?target=consumer:', '?target=consumer:all', '?actor=admin']) {
      const { status, body } = await client.call<{ detail: string }>('GET', `/v1/audit${query}`);
      expect([role, query, status]).toEqual([role, query, 403]);
      expect(body.detail).toContain('target=consumer:<id>');
    }
  }
  const producer = await clientOf('producer');
  expect((await producer.call('GET', `/v1/audit?target=${target()}`)).status).toBe(403);
});
