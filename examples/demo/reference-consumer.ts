import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '#examples/demo/listen-on-loopback';
import { verifyBasic, verifyNotification } from '#libs/signing';

/** One request to the reference consumer, and its answer. */
export interface Arrival {
  readonly notificationId: string;
  /** The payment's id and the status that the notification carries. */
  readonly paymentId: string;
  readonly status: string;
  /** `verified`, or why the request is refused. */
  readonly verdict: string;
  /** The same notification was acknowledged before. */
  readonly isRepeat: boolean;
  readonly answer: number;
}

export interface ReferenceConsumer {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Sets the signing secret, which the answer to the registration contains. */
  trust(secret: string): void;
  close(): Promise<void>;
}

/** The Basic credentials of its registration. */
export const CREDENTIALS = { username: 'dispatcher', password: 'demo-password' } as const;

/**
 * A consumer as its developer would write it: it checks the signature over the registered URL and the raw bytes, the age
 * and the Basic credentials, and remembers which notificationIds it has acknowledged.
 * @param failures how many times it answers 503 to a status before it acknowledges it
 */
export async function startReferenceConsumer(
  failures: ReadonlyMap<string, number>,
  onArrival: (arrival: Arrival) => void,
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
    onArrival(arrival);
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
  url = `${await listenOnLoopback(server)}/ach-payments-api/v1/notifications`;
  return {
    url,
    arrivals,
    trust: (given) => (secret = given),
    close: () => closeServer(server),
  };
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
