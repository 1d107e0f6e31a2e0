import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { VERSION } from '#libs/contracts';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const system = await System.shared(1);

test.each([0, 1])(
  'the api and the worker name their version in health, metrics and each log line (process %i)',
  async (index) => {
    const { baseUrl, output } = [system.api, ...system.workers][index] ?? system.api;
    const [livez, readyz, metrics = ''] = await Promise.all(
      ['livez', 'readyz', 'metrics'].map(async (path) => (await fetch(`${baseUrl}/${path}`)).text()),
    );
    expect(JSON.parse(livez ?? '')).toEqual({ status: 'ok', version: VERSION });
    expect(JSON.parse(readyz ?? '')).toMatchObject({ status: 'ok', version: VERSION });
    expect(metrics.split('\n')).toContain(
      `dispatcher_build_info{version="${VERSION}",node="${process.version}"} 1`,
    );
    const lines = output.split('\n').filter((line) => /^\{.*\}$/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.includes(`,"version":"${VERSION}",`))).toEqual([]);
  },
);

test('a delivery names the dispatcher’s version in its User-Agent', async () => {
  const customer = await Customer.onboard(system.client);
  await customer.waitForAcknowledged([await system.client.accept(achChange(customer.company, randomUUID()))]);
  expect(customer.arrivals[0]?.request.headers['user-agent']).toBe(
    `payment-notification-dispatcher/${VERSION}`,
  );
});

test('the api names its version in the OpenAPI document and to a person who is signed in', async () => {
  const document = await system.client.call('GET', '/docs-json');
  expect(document.body).toMatchObject({ info: { version: VERSION } });
  expect((await system.client.call('GET', '/v1/me')).body).toMatchObject({ version: VERSION });
});
