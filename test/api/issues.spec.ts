import type { IssueDto, IssueListDto } from '#apps/api/src/resources/issues/issue.dto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const system = await System.shared(1);
const oncall = await system.clientOf(['oncall'], 'oncall of issues');
const viewer = await system.clientOf(['viewer']);

/** A consumer that answers 410 and is paused for it. */
let customer: Customer;
beforeEach(async () => {
  customer = await Customer.onboard(system.client, { behaviour: () => ({ status: 410 }) });
  await system.client.accept(achChange(customer.company, `gone ${customer.company}`, 'RETURN'));
});

const issuesOf = async (client: ApiClient, query = ''): Promise<IssueDto[]> =>
  (await client.call<IssueListDto>('GET', `/v1/issues?consumerId=${customer.consumerId}${query}`)).body
    .issues;

/** Waits for the next evaluation, which would otherwise begin up to 15 s later. */
const evaluated = <T>(what: string, condition: () => Promise<T | undefined | false>): Promise<T> =>
  waitUntil(
    async () => {
      await runSql(system.databaseUrl, `update schedules set next_at = now() where name = 'health_issues'`);
      return condition();
    },
    { what, everyMs: 200 },
  );
const opened = (): Promise<IssueDto> =>
  evaluated('an unresolved issue', async () =>
    (await issuesOf(viewer)).find(({ resolvedAt }) => resolvedAt === null),
  );
const resume = () => {
  customer.behave(() => ({}));
  return system.client.resumeConsumer(customer.consumerId);
};

describe('health issues', () => {
  it('a consumer that answers 410 has an issue until it is resumed; on-call staff acknowledge it', async () => {
    const issue = await opened();
    expect(issue).toMatchObject({
      kind: 'paused_unplanned',
      severity: 'page',
      state: 'open',
      dead: 0,
      consumerName: customer.company,
      summary: expect.stringContaining('410 Gone'),
      advice: expect.stringContaining('Ask the contact for the new URL'),
      acknowledgedBy: null,
    });
    // The counts of waiting deliveries are a second old at most.
    await waitUntil(async () => (await issuesOf(viewer))[0]?.waiting === 1, {
      what: 'the waiting delivery to be counted',
    });
    const path = `/v1/issues/${issue.id}`;
    const acknowledged = await oncall.call<IssueDto>('POST', `${path}/acknowledge`, { note: 'called them' });
    expect(acknowledged).toMatchObject({
      status: 200,
      body: { state: 'acknowledged', acknowledgedBy: 'oncall of issues', note: 'called them' },
    });
    expect(await issuesOf(viewer, '&state=open')).toEqual([]);
    expect(await issuesOf(viewer, '&state=unresolved')).toMatchObject([{ id: issue.id }]);
    expect(await issuesOf(viewer, '&state=acknowledged&kind=paused_unplanned')).toMatchObject([
      { id: issue.id },
    ]);

    await resume();
    const resolved = await evaluated('its resolution', async () => {
      const { body } = await viewer.call<IssueDto>('GET', path);
      return body.state === 'resolved' && body;
    });
    expect(resolved).toMatchObject({
      resolvedBy: null,
      resolution: null,
      endedAt: expect.any(String),
      waiting: null,
      dead: null,
    });
    const refused = await oncall.call<{ detail: string }>('POST', `${path}/acknowledge`, {});
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('resolved automatically') },
    });
  });

  it('an issue that a person has resolved is not opened again while its condition lasts', async () => {
    const { id } = await opened();
    const resolved = await oncall.call<IssueDto>('POST', `/v1/issues/${id}/resolve`, {
      reason: 'contract ended',
    });
    expect(resolved.body).toMatchObject({
      state: 'resolved',
      resolvedBy: 'oncall of issues',
      resolution: 'contract ended',
      endedAt: null,
    });
    const other = customer;
    customer = await Customer.onboard(system.client, { behaviour: () => ({ status: 410 }) });
    await system.client.accept(achChange(customer.company, `gone ${customer.company}`, 'RETURN'));
    // An issue of another consumer shows that an evaluation has run.
    await opened();
    customer = other;
    expect(await issuesOf(viewer)).toHaveLength(1);

    await resume();
    await evaluated('the end of its condition', async () => (await issuesOf(viewer))[0]?.endedAt !== null);
    customer.behave(() => ({ status: 410 }));
    await system.client.accept(achChange(customer.company, `again ${customer.company}`, 'RETURN'));
    expect((await opened()).id).not.toBe(id);
  });

  it('each change of an issue is in the audit log with its reason', async () => {
    const { id } = await opened();
    await oncall.call('POST', `/v1/issues/${id}/acknowledge`, { note: 'a note' });
    await oncall.call('POST', `/v1/issues/${id}/resolve`, { reason: 'a reason' });
    const audit = await system.client.call('GET', `/v1/audit?target=issue:${id}`);
    expect(audit.body).toMatchObject({
      entries: [
        { action: 'issue.resolved', actor: 'oncall of issues', reason: 'a reason' },
        { action: 'issue.acknowledged', actor: 'oncall of issues', reason: 'a note' },
      ],
    });
  });
});
