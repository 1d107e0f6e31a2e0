import { once } from 'node:events';
import { createServer } from 'node:http';
import { Gauge, Registry } from 'prom-client';
import type { Member } from './ingest.js';
import type { Settings } from './settings.js';

/**
 * Serves `/livez`, `/readyz` (200 while it is a member of the group) and `/metrics`, as the dispatcher's processes do.
 * @throws when the port cannot be used
 */
export async function startStatusServer({ HOST, PORT, KAFKA_TOPICS }: Settings) {
  let member: Member | undefined;
  const registry = new Registry();
  const lag = new Gauge({
    name: 'kafka_ingest_lag_records',
    help: 'Records of this member’s partitions that are not committed yet.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    collect: async () => {
      lag.reset();
      const lags = (await member?.getLag({ topics: KAFKA_TOPICS.split(',') })) ?? [];
      for (const [topic, partitions] of lags)
        for (const [partition, records] of partitions.entries())
          // Negative for a partition of another member.
          if (records >= 0n) lag.set({ topic, partition }, Number(records));
    },
  });
  const answers: Readonly<Record<string, () => Promise<string | undefined>>> = {
    '/livez': async () => 'live\n',
    '/readyz': async () => (member?.isActive() === true ? 'ready\n' : undefined),
    '/metrics': () => registry.metrics().catch(() => undefined),
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    void answer?.().then((text) => response.writeHead(text === undefined ? 503 : 200).end(text));
    if (answer === undefined) response.writeHead(404).end();
  }).listen(Number(PORT), HOST);
  await once(server, 'listening');
  return {
    onMember: (now: Member | undefined): void => void (member = now),
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}
