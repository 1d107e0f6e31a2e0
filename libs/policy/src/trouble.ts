import type { CertificateUse, TroubleKind } from '#libs/contracts';
import { certificateState, WATCH_BEFORE_MS } from './certificate-state.js';

/** So many failures in a row are more than a hiccup. */
const FAILING_FROM = 3;
/** A backlog that is overdue for so long does not drain by itself. */
const BEHIND_AFTER_MS = 5 * 60_000;
/** A pause that has lasted so long is forgotten, or the consumer is gone for good. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/** What is known of a consumer at a moment. */
export interface ConsumerCondition {
  readonly secretFault: { readonly words: string; readonly since: Date } | null;
  readonly circuitOpenedAt: Date | null;
  /** Failed attempts since its last success. */
  readonly failures: number;
  readonly firstFailureAt: Date | null;
  readonly paused: {
    readonly since: Date;
    readonly reason: string | null;
    /** By its own 410, not by a person. */
    readonly byAnswer: boolean;
  } | null;
  /** When its longest overdue delivery was due; null when nothing is. */
  readonly oldestDueAt: Date | null;
  /** Of its certificates the one that ends first; null when it has none. */
  readonly firstToExpire: { readonly use: CertificateUse; readonly notAfter: Date } | null;
  /** Nothing is sent to anybody: its backlog is not its fault. */
  readonly allPaused: boolean;
}

export interface Trouble {
  readonly kind: TroubleKind;
  readonly since: Date;
  /** What is wrong, in words. */
  readonly why: string;
  /** What to do about it. */
  readonly advice: string;
  /** The lower, the worse. */
  readonly rank: number;
}

/** The worst that is to be said of a consumer now, or null when nobody needs to look at it. */
export function troubleOf(consumer: ConsumerCondition, now: Date): Trouble | null {
  const { secretFault, circuitOpenedAt, paused, failures, firstFailureAt } = consumer;
  if (secretFault !== null) {
    return {
      kind: 'secret',
      rank: 0,
      since: secretFault.since,
      why: `Its credentials cannot be decrypted, so nothing is sent: ${secretFault.words}`,
      advice: 'Put the missing key back into SECRETS_KEYRING, or give the consumer new credentials.',
    };
  }
  if (paused !== null) return pauseTrouble(paused, now);
  if (circuitOpenedAt !== null) {
    return {
      kind: 'circuit',
      rank: 1,
      since: circuitOpenedAt,
      why: `It is taken for down after ${String(failures)} failures in a row; now and then one delivery is sent as a probe.`,
      advice: 'See its latest failures and call its contact. It goes on by itself once a probe succeeds.',
    };
  }
  if (failures >= FAILING_FROM && firstFailureAt !== null) {
    return {
      kind: 'failing',
      rank: 3,
      since: firstFailureAt,
      why: `The last ${String(failures)} attempts have failed.`,
      advice: 'See its latest failures; a test delivery tells whether it answers now.',
    };
  }
  const backlog = consumer.allPaused ? null : backlogTrouble(consumer.oldestDueAt, now);
  return backlog ?? certificateTrouble(consumer.firstToExpire, now);
}

function pauseTrouble(paused: NonNullable<ConsumerCondition['paused']>, now: Date): Trouble {
  const days = Math.floor((now.getTime() - paused.since.getTime()) / 86_400_000);
  const common = { kind: 'paused', since: paused.since } as const;
  if (paused.byAnswer) {
    return {
      ...common,
      rank: 2,
      why: 'It answered 410 Gone, which asks us to stop; its notifications wait.',
      advice: 'Ask its contact for the new URL, change it, and resume; or remove the consumer.',
    };
  }
  const why = `Somebody paused it${paused.reason === null ? '' : `: ${paused.reason}`}`;
  if (now.getTime() - paused.since.getTime() >= FORGOTTEN_AFTER_MS) {
    return {
      ...common,
      rank: 2,
      why: `${why} It has been paused for ${String(days)} days.`,
      advice:
        'Resume it, or remove it if it is gone for good: its notifications are kept for a limited time.',
    };
  }
  return {
    ...common,
    rank: 5,
    why,
    advice: 'Resume it when the reason is gone; what waits is sent in order.',
  };
}

function backlogTrouble(oldestDueAt: Date | null, now: Date): Trouble | null {
  if (oldestDueAt === null) return null;
  const overdueMs = now.getTime() - oldestDueAt.getTime();
  if (overdueMs <= BEHIND_AFTER_MS) return null;
  return {
    kind: 'behind',
    rank: 4,
    since: oldestDueAt,
    why: `Its oldest delivery has been due for ${inWords(overdueMs)}: it takes less than is made for it.`,
    advice:
      'See whether it answers slowly, and raise maxConcurrency or maxPerSecond if it agrees; else see the workers.',
  };
}

const CERTIFICATES: Readonly<Record<CertificateUse, { readonly what: string; readonly advice: string }>> = {
  client: {
    what: 'The client certificate that we present to it',
    advice: 'Add a version of its credentials with a new client certificate, and tell its contact.',
  },
  authority: {
    what: 'A certificate of its private authority',
    advice: 'Ask its contact for the new one, and add it to caCertificate beside the old one.',
  },
  server: {
    what: 'Its server’s own certificate',
    advice: 'Tell its contact: the consumer has to renew it.',
  },
};

function certificateTrouble(first: ConsumerCondition['firstToExpire'], now: Date): Trouble | null {
  if (first === null) return null;
  const state = certificateState(first.notAfter, now);
  if (state === 'valid') return null;
  const { what, advice } = CERTIFICATES[first.use];
  const apart = inWords(Math.abs(first.notAfter.getTime() - now.getTime()));
  return {
    kind: 'certificate',
    advice,
    ...(state === 'expired'
      ? { rank: 4, since: first.notAfter, why: `${what} expired ${apart} ago.` }
      : {
          rank: 6,
          since: new Date(first.notAfter.getTime() - WATCH_BEFORE_MS),
          why: `${what} expires in ${apart}.`,
        }),
  };
}

/** The worst first; of equals the one that has lasted longest. */
export const worstFirst = (one: Trouble, other: Trouble): number =>
  one.rank - other.rank || one.since.getTime() - other.since.getTime();

/** A time in the largest unit that makes at least two of it. */
function inWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${String(minutes)} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${String(hours)} hours` : `${String(Math.floor(hours / 24))} days`;
}
