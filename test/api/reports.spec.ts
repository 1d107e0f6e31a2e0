import { beforeAll, expect, it } from 'vitest';
import type { ReportDto } from '#apps/api/src/system/reports/report.dto';
import { Customer } from '#test/support/customer';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';

const system = await System.start({ backend: 'redis' });
let plain: Customer;
let formula: Customer;

beforeAll(async () => {
  plain = await Customer.onboard(system.client, { name: 'Zeta, "the" bank' });
  formula = await Customer.onboard(system.client, { name: '=HYPERLINK("http://evil.example")' });
  const accepted = await system.client.acceptAll([
    achChange(plain.company, 'R-1'),
    achChange(plain.company, 'R-2'),
    achChange(formula.company, 'R-3'),
  ]);
  for (const one of accepted) await system.client.waitForState(one, 'delivered');
});

const read = (accept: string, query = ''): Promise<Response> =>
  fetch(`${system.api.baseUrl}/v1/reports/consumers${query}`, {
    headers: { authorization: `Bearer ${system.adminKey}`, accept },
  });

it('the report on consumers covers the last 24 hours by default, sorted by name, with totals', async () => {
  const { body } = await system.client.call<ReportDto>('GET', '/v1/reports/consumers');
  expect(new Date(body.to).getTime() - new Date(body.from).getTime()).toBe(86_400_000);
  expect(body.consumers.map(({ name, accepted, delivered }) => [name, accepted, delivered])).toEqual([
    ['=HYPERLINK("http://evil.example")', 1, 1],
    ['Zeta, "the" bank', 2, 2],
  ]);
  expect(body.totals).toMatchObject({
    accepted: 3,
    delivered: 3,
    late: 0,
    dead: 0,
    p50Ms: expect.any(Number),
  });
});

it('the report on consumers is also available as CSV, without formulas', async () => {
  const response = await read('text/csv');
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="report-.*\.csv"$/);
  const [header, first, second, end] = (await response.text()).split('\r\n');
  expect(header?.replaceAll('"', '')).toBe(
    'consumerId,name,accepted,delivered,late,replayedOrPaused,dead,cancelled,waiting,p50Ms,p95Ms,downtimeMs',
  );
  const { body } = await system.client.call<ReportDto>('GET', '/v1/reports/consumers');
  expect(header?.replaceAll('"', '').split(',').toSorted()).toEqual(
    Object.keys(body.consumers[0] ?? {}).toSorted(),
  );
  expect(first).toContain(`"${formula.consumerId}","'=HYPERLINK(""http://evil.example"")",1,1,0,0,0,0,0,`);
  expect(second).toContain(`"${plain.consumerId}","Zeta, ""the"" bank",2,2,0,0,0,0,0,`);
  expect(end).toBe('');
});

it('the report on consumers refuses more than 31 days with a problem in JSON, also when CSV is requested', async () => {
  const response = await read('text/csv', '?from=2025-01-01T00:00:00Z&to=2025-02-02T00:00:00Z');
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { errors: [{ field: 'from', message: 'must be at most 31 days before `to`' }] },
  ]);
});
