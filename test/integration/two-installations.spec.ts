import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { verifyNotification } from '#libs/signing';
import { startConsumer } from '#test/support/consumer-server';
import { accept, addConsumer, startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';

test('two installations on one Redis deliver their own payments to a consumer that both have, with one signing secret', async () => {
  const company = `COMPANY-${randomUUID()}`;
  const consumer = await startConsumer();
  onTestFinished(() => consumer.close());
  // Each has its own database and QUEUE_NAMESPACE.
  const installations = await Promise.all([startDispatcherInProcess(), startDispatcherInProcess()]);
  const payments = installations.map(() => [randomUUID(), randomUUID()]);
  for (const [index, installation] of installations.entries()) {
    await addConsumer(installation, { url: consumer.url, ach_company_ids: [company] });
    await installation.startWorker();
    for (const payment of payments[index] ?? [])
      for (const change of achSequence(company, payment)) await accept(installation, change);
  }

  const requests = await consumer.waitFor(16);
  const arrived = requests.map(({ headers, body }) => {
    const envelope: { notificationId: string; data: ReturnType<typeof achSequence>[number]['data'] } =
      JSON.parse(body);
    const { ok } = verifyNotification({
      secret: 'whsec_test',
      url: consumer.url,
      rawBody: body,
      timestamp: headers['x-timestamp']?.toString(),
      signature: headers['x-signature']?.toString(),
      unit: 'seconds',
      nowMs: Date.now(),
    });
    return { ok, id: envelope.notificationId, ...envelope.data.achEventInfo };
  });
  expect(arrived.every(({ ok }) => ok)).toBe(true);
  expect(new Set(arrived.map(({ id }) => id)).size).toBe(16);
  for (const payment of payments.flat()) {
    const statuses = arrived
      .filter(({ transactionId }) => transactionId === payment)
      .map(({ status }) => status);
    expect(statuses).toEqual(ACH_SEQUENCE);
  }
});
