import { expect, test } from 'vitest';
import { chaos, CLEAN } from '#test/support/chaos-suite';

/** Two minutes each, one after the other: their measure is a time, which a busy machine makes longer. */
test.each([
  ['workers-come-and-go', 'redis'],
  ['workers-come-and-go', 'postgres'],
  ['worker-without-postgres', 'redis'],
  ['worker-without-postgres', 'postgres'],
  ['worker-without-redis', 'redis'],
  ['api-without-postgres', 'redis'],
  ['api-without-postgres', 'postgres'],
  ['hanging-groups', 'redis'],
  ['hanging-groups', 'postgres'],
  ['never-answering', 'postgres'],
  ['more-hang-than-slots', 'postgres'],
  ['refused-record', 'postgres'],
  ['clock-jumps', 'redis'],
  ['clock-jumps', 'postgres'],
])('the chaos suite finds nothing in scenario %s on the %s queue', async (scenario, backend) => {
  const { code, output, report } = await chaos('--scenario', scenario, '--backend', backend);
  expect(report.violations).toEqual(CLEAN);
  expect({ code, output }).toEqual({ code: 0, output });
});
