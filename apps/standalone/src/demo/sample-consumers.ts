/** How a consumer of the demo answers the notifications that it gets. */
export type Behaviour = 'healthy' | 'slow' | 'moody' | 'down' | 'refusing' | 'mismatched' | 'gone';

/** A consumer of the demo: one for every trouble that a night on call may bring, and some without any. */
export interface SampleConsumer {
  readonly name: string;
  readonly contact: string;
  /** The company whose ACH and wire payments it hears of. */
  readonly company: string;
  readonly behaviour: Behaviour;
  /** More of its registration. */
  readonly settings?: object;
  /** Why somebody has paused it. */
  readonly pausedBecause?: string;
}

/** Fails often enough, and soon enough, that dead deliveries are there to be looked at. */
const IMPATIENT = { retrySchedule: [1, 2] };
/** Waits as the product's own schedule does in its first minutes. */
const PATIENT = { retrySchedule: [5, 30, 120, 600, 1_800, 3_600] };

/** Agreed on with the one consumer that really checks signatures, and does it wrong. */
export const LARKSPUR_SECRET = 'whsec_demo_of_larkspur_energy';

export const SAMPLE_CONSUMERS: readonly SampleConsumer[] = [
  {
    name: 'Blue Harbor Logistics',
    contact: 'ops@blueharbor.example',
    company: 'BLUEHARBOR',
    behaviour: 'healthy',
  },
  { name: 'Cedar Mills', contact: '+1 555 0102', company: 'CEDARMILLS', behaviour: 'healthy' },
  {
    name: 'Dunmore Freight',
    contact: 'it@dunmore.example',
    company: 'DUNMORE',
    behaviour: 'slow',
    settings: { maxConcurrency: 4, timeoutMs: 5_000 },
  },
  {
    name: 'Evergreen Foods',
    contact: 'integration@evergreen.example',
    company: 'EVERGREEN',
    behaviour: 'moody',
    settings: PATIENT,
  },
  {
    name: 'Falcon Air Cargo',
    contact: 'noc@falcon.example, +1 555 0105',
    company: 'FALCONAIR',
    behaviour: 'down',
    settings: PATIENT,
  },
  {
    name: 'Gateway Retail',
    contact: 'payments@gateway.example',
    company: 'GATEWAY',
    behaviour: 'refusing',
    settings: IMPATIENT,
  },
  {
    name: 'Hollow Oak Partners',
    contact: 'treasury@hollowoak.example',
    company: 'HOLLOWOAK',
    behaviour: 'healthy',
    pausedBecause: 'They move to a new data centre tonight and asked us to wait',
  },
  {
    name: 'Larkspur Energy',
    contact: 'api@larkspur.example',
    company: 'LARKSPUR',
    behaviour: 'mismatched',
    settings: { ...PATIENT, signingSecret: LARKSPUR_SECRET },
  },
  { name: 'Iron Bridge Works', contact: 'erp@ironbridge.example', company: 'IRONBRIDGE', behaviour: 'gone' },
];
