import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '#examples/demo/listen-on-loopback';
import {
  LATE_CONSUMER,
  SAMPLE_CONSUMERS,
  LARKSPUR_SECRET,
  type Behaviour,
  type SampleConsumer,
} from '#examples/demo/sample-consumers';

/** One HTTP server for all sample consumers, each at its own path. */
export interface SampleConsumerServer {
  urlOf(consumer: SampleConsumer): string;
  close(): Promise<void>;
}

export async function openSampleConsumerServer(): Promise<SampleConsumerServer> {
  const pathOf = (consumer: SampleConsumer): string =>
    `/${consumer.company.toLowerCase()}/payment-notifications`;
  const behaviours = new Map(
    [...SAMPLE_CONSUMERS, LATE_CONSUMER].map((consumer) => [pathOf(consumer), consumer.behaviour]),
  );
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const behaviour = behaviours.get(request.url ?? '');
    const number = requests;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      if (behaviour !== 'mismatched') return answer(response, behaviour, number);
      // A common mistake of consumers: the signed URL has one slash too many.
      const text = `POST${origin}${request.url ?? ''}/${Buffer.concat(chunks).toString()}${String(request.headers['x-timestamp'])}`;
      const computed = createHmac('sha256', LARKSPUR_SECRET).update(text).digest('hex');
      response.writeHead(401).end(`signature mismatch, we computed ${computed}`);
    });
  });
  const origin = await listenOnLoopback(server);
  return {
    urlOf: (consumer) => `${origin}${pathOf(consumer)}`,
    close: () => closeServer(server),
  };
}

const SLOW_MS = 900;

function answer(
  response: ServerResponse,
  behaviour: Exclude<Behaviour, 'mismatched'> | undefined,
  number: number,
): void {
  const end = (status: number, text = ''): void => void response.writeHead(status).end(text);
  switch (behaviour) {
    case 'healthy':
      return end(200);
    case 'slow':
      setTimeout(() => end(202), SLOW_MS);
      return;
    case 'flaky':
      return number % 3 === 0 ? end(503, 'maintenance, please come back') : end(200);
    case 'down':
      response.destroy();
      return;
    case 'refusing':
      return end(401, 'unknown user');
    case 'gone':
      return end(410, 'this integration has ended');
    case undefined:
      return end(404);
  }
}
