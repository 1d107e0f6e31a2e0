import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ConsumerDto } from '#apps/api/src/resources/consumers/consumer.dto';
import type { OverviewDto } from '#apps/api/src/system/overview/overview.dto';
import { runSql } from '#test/support/run-sql';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';
import {
  makeAuthority,
  makeCertificate,
  type Certificate,
} from '../../libs/egress/src/testing/certificates.js';

const system = await System.shared(0);

const authority = makeAuthority('the-consumers-own', 31);
const issued = (commonName: string): Certificate =>
  makeCertificate('DNS:us', 90, { issuer: authority, usage: 'clientAuth', commonName });
const client = issued('first');
const next = issued('next');

const given = ({ cert, key }: Certificate) => ({ certificate: cert, privateKey: key });
const fingerprintOf = ({ cert }: Certificate): string => new X509Certificate(cert).fingerprint256;
const registration = (more: object = {}): object => ({
  name: 'Acme',
  url: 'https://consumer.example/hook',
  eventTypes: ['ach.status'],
  credentials: { username: 'bank', password: 'a password of the test' },
  ...more,
});
const faultsOf = async (method: string, path: string, body: object): Promise<[string, string][]> => {
  const answer = await system.client.call<{ errors?: { field: string; message: string }[] }>(
    method,
    path,
    body,
  );
  expect(answer.status).toBe(422);
  return answer.body.errors?.map(({ field, message }) => [field, message]) ?? [];
};

it('a certificate is shown without its private key, which is in no answer, log line or database row', async () => {
  const { id } = await system.client.registerConsumer(
    registration({ caCertificate: `a remark\n${authority.cert}`, clientCertificate: given(client) }),
  );
  const consumer = await system.client.consumer(id);
  expect(consumer.caCertificate).toBe(authority.cert);
  expect(consumer.certificates).toMatchObject([
    {
      use: 'client',
      subject: 'CN=first',
      issuer: 'CN=the-consumers-own',
      fingerprint: fingerprintOf(client),
    },
    { use: 'authority', subject: 'CN=the-consumers-own', state: 'valid', seenAt: null },
  ]);
  expect(await system.client.credentials(id)).toMatchObject([
    { version: 1, clientCertificates: [{ subject: 'CN=first' }] },
  ]);
  const rows = await runSql<{ row: string }>(
    system.databaseUrl,
    `select query_to_xml(format('select * from %I.%I', table_schema, table_name), true, false, '')::text as row
       from information_schema.tables where table_schema = 'public'`,
  );
  const audit = await system.client.call('GET', '/v1/audit?limit=1000');
  const everything = [
    JSON.stringify([consumer, audit.body]),
    system.api.output,
    ...rows.map(({ row }) => row),
  ];
  const [, ...linesOfKey] = client.key.split('\n').filter((line) => line.length > 20);
  for (const line of linesOfKey) expect(everything.filter((text) => text.includes(line))).toEqual([]);
  expect(everything.filter((text) => text.includes(fingerprintOf(client))).length).toBeGreaterThan(1);
});

it('an invalid certificate is refused with an error for its field', async () => {
  const { cert, key } = client;
  const register = (more: object) => faultsOf('POST', '/v1/consumers', registration(more));
  expect(await register({ caCertificate: 'nonsense' })).toEqual([
    ['caCertificate', expect.stringMatching(/PEM/)],
  ]);
  expect(await register({ caCertificate: authority.key })).toEqual([
    ['caCertificate', 'must not hold a private key'],
  ]);
  expect(await register({ clientCertificate: { certificate: cert, privateKey: next.key } })).toEqual([
    ['clientCertificate.privateKey', expect.stringMatching(/another certificate/)],
  ]);
  expect(await register({ clientCertificate: { certificate: cert } })).toEqual([
    ['clientCertificate.privateKey', 'is required'],
  ]);
  expect(
    await register({ caCertificate: 'x', clientCertificate: { certificate: 'x', privateKey: key } }),
  ).toEqual([
    ['caCertificate', expect.any(String)],
    ['clientCertificate.certificate', expect.any(String)],
  ]);
  expect(await register({ caCertificate: null })).toEqual([['caCertificate', 'must be a string']]);
});

it('the CA certificate changes with the settings, the client certificate with the credentials', async () => {
  const { id } = await system.client.registerConsumer(registration({ caCertificate: authority.cert }));
  const path = `/v1/consumers/${id}`;
  const uses = (consumer: ConsumerDto) =>
    consumer.certificates.map(({ use, subject }) => `${use} ${subject}`);

  expect(await faultsOf('PATCH', path, { caCertificate: client.cert })).toEqual([
    ['caCertificate', expect.stringMatching(/^certificate 1 is neither/)],
  ]);
  expect((await system.client.call('PATCH', path, { timeoutMs: 5_000 })).status).toBe(200);
  expect(uses(await system.client.consumer(id))).toEqual(['authority CN=the-consumers-own']);
  expect((await system.client.call('PATCH', path, { caCertificate: null })).status).toBe(200);
  expect(await system.client.consumer(id)).toMatchObject({ caCertificate: null, certificates: [] });

  const late = { clientCertificate: given(client), activateAt: '2126-01-01T00:00:00Z' };
  expect(await faultsOf('POST', `${path}/credentials`, late)).toEqual([
    ['clientCertificate.certificate', expect.stringMatching(/ends on .*, before it is used$/)],
  ]);
  await system.client.addCredentials(id, { clientCertificate: given(client) });
  expect(uses(await system.client.consumer(id))).toEqual(['client CN=first']);
  await system.client.addCredentials(id, { password: 'another password' });
  expect(uses(await system.client.consumer(id))).toEqual(['client CN=first']);
  const activateAt = new Date(Date.now() + 3_600_000).toISOString();
  await system.client.addCredentials(id, { clientCertificate: given(next), activateAt });
  expect(uses(await system.client.consumer(id))).toEqual(['client CN=first']);
  await system.client.activateCredentials(id, 4);
  expect(uses(await system.client.consumer(id))).toEqual(['client CN=next']);
  await system.client.addCredentials(id, { clientCertificate: null });
  expect(uses(await system.client.consumer(id))).toEqual([]);
});

it('undecryptable credentials with a client certificate are replaced only together with the certificate', async () => {
  const { id } = await system.client.registerConsumer(registration({ clientCertificate: given(client) }));
  const damage = `update consumer_credentials set sealed = 'damaged' where consumer_id = '${id}' returning 1`;
  await runSql(system.databaseUrl, damage);
  const parts = { signingSecret: 'whsec_chosen_secret_0001', username: 'bank', password: 'new password' };
  const path = `/v1/consumers/${id}/credentials`;
  const refused = await system.client.call<{ detail: string }>('POST', path, parts);
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/client certificate/) },
  });
  const added = await system.client.addCredentials(id, { ...parts, clientCertificate: given(next) });
  expect(added.clientCertificates).toMatchObject([{ subject: 'CN=next' }]);
});

it('a consumer whose client certificate expires soon needs attention', async () => {
  const short = makeCertificate('DNS:us', 29, { issuer: authority, commonName: 'short' });
  const { id } = await system.client.registerConsumer(
    registration({ caCertificate: authority.cert, clientCertificate: given(short) }),
  );
  const troubleOf = async () => {
    const { body } = await system.client.call<OverviewDto>('GET', '/v1/overview');
    return body.trouble.find(({ consumerId }) => consumerId === id);
  };
  const trouble = await waitUntil(troubleOf, { what: 'the consumer to need attention' });
  expect(trouble).toMatchObject({
    health: { state: 'healthy', notices: [{ words: 'Our client certificate expires in 28 days.' }] },
  });
  expect((await system.client.consumer(id)).certificates.map(({ state }) => state)).toEqual([
    'expiring',
    'valid',
  ]);
});
