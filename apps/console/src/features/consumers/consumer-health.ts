import { fullMoment, UTC } from '../../formats/moment-in-words';
import { durationInWords } from '../../formats/duration-in-words';
import type { Schema } from '../../api/schema';
import type { Tone } from '../../formats/tone-badge';
import type { Consumer } from './use-all-consumers';

export type Trouble = Schema<'ConsumerTroubleDto'>;
type Kind = Trouble['kind'] | 'well';

export interface Health {
  readonly kind: Kind;
  /** Null when all is well. */
  readonly since: string | null;
  readonly why: string;
  readonly whatToDo: string;
}

/** The worst first: the order of lists. */
const SEVERITY: readonly Kind[] = ['secret', 'circuit', 'failing', 'behind', 'paused', 'certificate', 'well'];

export const HEALTH_LABELS: Readonly<Record<Kind, { label: string; tone: Tone }>> = {
  secret: { label: 'Credentials unreadable', tone: 'bad' },
  circuit: { label: 'Down', tone: 'bad' },
  failing: { label: 'Failing', tone: 'bad' },
  behind: { label: 'Behind', tone: 'waiting' },
  paused: { label: 'Paused', tone: 'waiting' },
  certificate: { label: 'Certificate ends', tone: 'waiting' },
  well: { label: 'Well', tone: 'good' },
};

/** How a consumer stands, from its own record, and from what the queue says of it where that is known. */
export function healthOf(consumer: Consumer, trouble?: Trouble): Health {
  const own = ownHealth(consumer);
  const isWorseInQueue =
    trouble !== undefined &&
    severity(trouble.kind) <= severity(own.kind) &&
    // The queue does not know when a pause ends.
    !(trouble.kind === 'paused' && consumer.pausedUntil !== null);
  return isWorseInQueue
    ? { kind: trouble.kind, since: trouble.since, why: trouble.why, whatToDo: trouble.advice }
    : own;
}

/** Smaller is worse. */
export const severity = (kind: Kind): number => SEVERITY.indexOf(kind);

function ownHealth(consumer: Consumer): Health {
  const { secretFault, circuit, state, pausedAt, pausedUntil, pauseReason, failuresInARow } = consumer;
  if (secretFault !== null)
    return {
      kind: 'secret',
      since: null,
      why: secretFault,
      whatToDo:
        'Put the missing key back into SECRETS_KEYRING and restart, or give the consumer new credentials here. Nothing is lost meanwhile: its deliveries wait.',
    };
  if (state === 'paused')
    return {
      kind: 'paused',
      since: pausedAt,
      why: `Paused${pausedUntil === null ? '' : ` until ${fullMoment(new Date(pausedUntil), UTC)}`}${pauseReason === null ? '' : `: ${pauseReason}`}.`,
      whatToDo:
        'Resume it when the reason is gone. Its deliveries wait meanwhile, however long, and go out in order afterwards.',
    };
  if (circuit !== null)
    return {
      kind: 'circuit',
      since: circuit.openedAt,
      why: `It failed ${String(failuresInARow)} times in a row, so it is taken to be down and its deliveries wait.`,
      whatToDo:
        'Call its contact. A trial delivery goes out by itself at growing intervals and everything follows when one is acknowledged; Resume sends one at once.',
    };
  if (failuresInARow > 0)
    return {
      kind: 'failing',
      since: null,
      why: `Its last ${failuresInARow === 1 ? 'attempt' : `${String(failuresInARow)} attempts`} failed.`,
      whatToDo: 'See what it answered under Failures. Each delivery is tried again by itself.',
    };
  return {
    kind: 'well',
    since: null,
    why: 'Nothing that was sent to it has failed lately.',
    whatToDo: 'Nothing.',
  };
}

/** When the next trial delivery goes out, in words. */
export function nextProbeInWords(circuit: NonNullable<Consumer['circuit']>, now: number): string {
  if (circuit.nextProbeAt === null) return 'A trial delivery is under way or follows at once.';
  const inMs = new Date(circuit.nextProbeAt).getTime() - now;
  return inMs <= 0 ? 'The next trial is due now.' : `The next trial goes out in ${durationInWords(inMs)}.`;
}
