import { expect, it } from '@jest/globals';
import type { Egress, Exchange } from '#libs/egress';
import type { AttemptResult } from '#libs/database';
import { UndecryptableError, type Credentials } from '#libs/vault';
import { fetchedDelivery, openSession } from '#test/support/open-session';
import type { AttemptTrace } from './attempt-report.js';
import { Attempts } from './attempts.service.js';
import type { DeliverySession } from './session.js';

const CREDENTIALS: Credentials = {
  username: 'bank',
  password: 'secret',
  signingSecret: 'whsec_0123456789abcdef',
  clientCertificate: undefined,
  toJSON: () => '[credentials]',
};

const ANSWER: Exchange = {
  outcome: 'acknowledged',
  httpStatus: 200,
  detail: '',
  retryAfterMs: null,
  sentAt: new Date(),
  durationMs: 1,
  requestHeaders: {},
  responseHeaders: {},
  responseBody: '',
  responseTruncated: false,
  clockSkewMs: null,
  remoteAddress: null,
  serverCertificate: null,
};

const TRACE: AttemptTrace = {
  traceparent: null,
  step: (_name, work) => work(),
  post: (send) => send(null),
  end: () => undefined,
};

interface Given {
  readonly answer?: Partial<Exchange>;
  readonly stalled?: boolean;
  readonly undecryptable?: boolean;
  readonly recordFails?: boolean;
}

/** Attempts delivery `d` in a session that was compared with PostgreSQL just now. */
async function attempt(
  given: Given = {},
  session = openSession({}, performance.now()),
  delivery = fetchedDelivery('d'),
): Promise<{ sent: number; recorded: AttemptResult[]; failed: number; secretFaults: string[] }> {
  const seen = { sent: 0, recorded: [] as AttemptResult[], failed: 0, secretFaults: [] as string[] };
  const egress: Pick<Egress, 'post'> = {
    post: async ({ buildHeaders }) => {
      buildHeaders(Date.now());
      seen.sent += 1;
      return { ...ANSWER, ...given.answer };
    },
  };
  const attempts = new Attempts(
    egress,
    {
      get: async () => {
        if (given.undecryptable === true)
          throw new UndecryptableError('unknown_key', 'k1', 'credentials 1 of consumer c', 'restore it');
        return CREDENTIALS;
      },
    },
    {
      record: async (_session: DeliverySession, result) => {
        if (given.recordFails === true) throw new Error('the process stops');
        seen.recorded.push(result);
        return true;
      },
      noteSecretFault: async (_consumerId, fault) => void seen.secretFaults.push(fault),
    },
    { stalledSince: () => given.stalled === true },
    {
      begin: () => TRACE,
      noteCertificate: () => undefined,
      attempted: () => undefined,
      notSent: () => void (seen.failed += 1),
      notRecorded: () => void (seen.failed += 1),
    },
  );
  const turn = session.begin(delivery, performance.now());
  await attempts.attempt(session, delivery, { probe: false, turn });
  return seen;
}

it('records an acknowledged delivery as delivered and removes it from flight', async () => {
  const session = openSession({}, performance.now());
  const { sent, recorded } = await attempt({}, session);
  expect(sent).toBe(1);
  expect(recorded).toMatchObject([{ deliveryId: 'd', session: 7, number: 1, next: { state: 'delivered' } }]);
  expect(session.inFlight.size).toBe(0);
});

it('records a failure of the consumer with the next due time, and spends an attempt', async () => {
  const { recorded } = await attempt({ answer: { outcome: 'http_status', httpStatus: 503 } });
  expect(recorded).toMatchObject([{ httpStatus: 503, next: { spendsAttempt: true } }]);
});

it.each(['fenced', 'lock_lost'] as const)('sends nothing in a session that is %s', async (reason) => {
  const session = openSession({}, performance.now());
  session.stop(reason);
  const { sent, recorded, failed } = await attempt({}, session);
  expect({ sent, recorded, failed }).toEqual({ sent: 0, recorded: [], failed: 1 });
});

it('sends nothing when the session was last compared with PostgreSQL more than 4 s ago', async () => {
  const { sent, recorded } = await attempt({}, openSession({}, performance.now() - 4_100));
  expect({ sent, recorded }).toEqual({ sent: 0, recorded: [] });
});

it.each<[string, Given]>([
  [
    'the process was suspended while it waited',
    { stalled: true, answer: { outcome: 'timeout', httpStatus: null } },
  ],
  ['the credentials cannot be decrypted', { undecryptable: true }],
  ['the result cannot be recorded', { recordFails: true }],
])('spends no attempt when %s, and sets the delivery aside', async (_what, given) => {
  const session = openSession({}, performance.now());
  const { recorded } = await attempt(given, session);
  expect(recorded).toEqual([]);
  expect(session.inFlight.size).toBe(0);
  expect(session.request(1, performance.now()).inFlight).toEqual(['d']);
});

it('records an answer that arrived although the process was suspended meanwhile', async () => {
  expect((await attempt({ stalled: true })).recorded).toHaveLength(1);
});

it('records that the credentials cannot be decrypted', async () => {
  expect((await attempt({ undecryptable: true })).secretFaults).toEqual([
    expect.stringContaining('key "k1"'),
  ]);
});

it('sends nothing and spends no attempt when the event cannot be found', async () => {
  const session = openSession({}, performance.now());
  const { sent, recorded } = await attempt({}, session, fetchedDelivery('d', { body: null }));
  expect({ sent, recorded }).toEqual({ sent: 0, recorded: [] });
});
