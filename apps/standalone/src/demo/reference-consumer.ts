import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { verifyBasic, verifyNotification } from '#libs/signing';

/** What the reference consumer saw of one request. */
export interface Arrival {
  readonly notificationId: string;
  /** The payment's id and the status that the notification carries. */
  readonly paymentId: string;
  readonly status: string;
  /** `verified`, or why the request must not be believed. */
  readonly verdict: string;
  /** The same notification was acknowledged before. */
  readonly isRepeat: boolean;
  readonly answer: number;
}

export interface ReferenceConsumer {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Hands over the secret that the registration answered with. */
  trust(secret: string): void;
  close(): Promise<void>;
}

/** The Basic credentials that the demo registers it with. */
export const CREDENTIALS = { username: 'dispatcher', password: 'demo-password' } as const;

/**
 * A consumer as its developer would write it: checks the signature over the registered URL and the raw bytes,
 * the age and the Basic credentials, keeps the notificationIds that it has acknowledged, and answers.
 * `failures` says how often it turns a status away with 503 before it takes it.
 */
export async function startReferenceConsumer(
  failures: ReadonlyMap<string, number>,
  tell: (arrival: Arrival) => void,
): Promise<ReferenceConsumer> {
  const arrivals: Arrival[] = [];
  const acknowledged = new Set<string>();
  const failed = new Map<string, number>();
  let secret = '';
  let url = '';

  const receive = (request: IncomingMessage, rawBody: Buffer): number => {
    const verification = verifyNotification({
      secret,
      url,
      rawBody,
      timestamp: header(request, 'x-timestamp'),
      signature: header(request, 'x-signature'),
      unit: 'seconds',
      nowMs: Date.now(),
    });
    const isKnown = verifyBasic(request.headers.authorization, CREDENTIALS.username, CREDENTIALS.password);
    const verdict = !verification.ok ? verification.fault : isKnown ? 'verified' : 'credentials_wrong';
    const { notificationId, paymentId, status } = read(rawBody);
    const before = failed.get(status) ?? 0;
    const answer = verdict !== 'verified' ? 401 : before < (failures.get(status) ?? 0) ? 503 : 200;
    if (answer === 503) failed.set(status, before + 1);
    const arrival = {
      notificationId,
      paymentId,
      status,
      verdict,
      isRepeat: acknowledged.has(notificationId),
      answer,
    };
    if (answer === 200) acknowledged.add(notificationId);
    arrivals.push(arrival);
    tell(arrival);
    return answer;
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.statusCode = receive(request, Buffer.concat(chunks));
      response.end();
    });
  });
  url = await listen(server);
  return {
    url,
    arrivals,
    trust: (given) => (secret = given),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the reference consumer got no port');
  return `http://127.0.0.1:${String(address.port)}/ach-payments-api/v1/notifications`;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

interface Envelope {
  notificationId: string;
  data: {
    achEventInfo?: { transactionId: string; status: string };
    wireEventInfo?: { paymentId: string; status: string };
  };
}

function read(rawBody: Buffer): { notificationId: string; paymentId: string; status: string } {
  const envelope: Envelope = JSON.parse(rawBody.toString());
  const { notificationId, data } = envelope;
  return {
    notificationId,
    paymentId: data.achEventInfo?.transactionId ?? data.wireEventInfo?.paymentId ?? '',
    status: data.achEventInfo?.status ?? data.wireEventInfo?.status ?? '',
  };
}
