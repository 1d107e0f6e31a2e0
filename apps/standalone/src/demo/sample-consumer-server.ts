import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createHmac } from 'node:crypto';
import {
  SAMPLE_CONSUMERS,
  LARKSPUR_SECRET,
  type Behaviour,
  type SampleConsumer,
} from './sample-consumers.js';

/** One HTTP server that plays every consumer of the cast, each at a path of its own. */
export interface SampleConsumerServer {
  urlOf(member: SampleConsumer): string;
  close(): Promise<void>;
}

export async function openSampleConsumerServer(): Promise<SampleConsumerServer> {
  const pathOf = (member: SampleConsumer): string => `/${member.company.toLowerCase()}/payment-notifications`;
  const behaviours = new Map(SAMPLE_CONSUMERS.map((member) => [pathOf(member), member.behaviour]));
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const behaviour = behaviours.get(request.url ?? '');
    const turn = requests;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      if (behaviour !== 'mismatched') return answer(response, behaviour, turn);
      // Signs its URL with a slash too many, as consumers do.
      const text = `POST${origin}${request.url ?? ''}/${Buffer.concat(chunks).toString()}${String(request.headers['x-timestamp'])}`;
      const computed = createHmac('sha256', LARKSPUR_SECRET).update(text).digest('hex');
      response.writeHead(401).end(`signature mismatch, we computed ${computed}`);
    });
  });
  const origin = await listen(server);
  return {
    urlOf: (member) => `${origin}${pathOf(member)}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const SLOW_MS = 900;

function answer(
  response: ServerResponse,
  behaviour: Exclude<Behaviour, 'mismatched'> | undefined,
  turn: number,
): void {
  const end = (status: number, text = ''): void => void response.writeHead(status).end(text);
  switch (behaviour) {
    case 'healthy':
      return end(200);
    case 'slow':
      setTimeout(() => end(202), SLOW_MS);
      return;
    case 'moody':
      return turn % 3 === 0 ? end(503, 'maintenance, please come back') : end(200);
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

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the cast got no port');
  return `http://127.0.0.1:${String(address.port)}`;
}
