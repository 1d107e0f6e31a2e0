/** How a consumer of the demo answers the notifications that it gets. */
export type Behaviour = 'healthy' | 'slow' | 'flaky' | 'down' | 'refusing' | 'mismatched' | 'gone';

/** A consumer of the demo: one for each problem that a person on call meets, and some healthy ones. */
export interface SampleConsumer {
  readonly name: string;
  readonly contact: string;
  /** The company of its ACH and wire payments. */
  readonly company: string;
  readonly behaviour: Behaviour;
  /** Further properties of its registration. */
  readonly settings?: object;
  /** Set when an operator has paused it. */
  readonly pauseReason?: string;
}

/** So short that dead deliveries appear within seconds. */
const SHORT_SCHEDULE = { retrySchedule: [1, 2] };
/** The first hours of the product's default schedule. */
const LONG_SCHEDULE = { retrySchedule: [5, 30, 120, 600, 1_800, 3_600] };

/** The secret of Larkspur Energy, which computes signatures over a wrong URL. */
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
    behaviour: 'flaky',
    settings: LONG_SCHEDULE,
  },
  {
    name: 'Falcon Air Cargo',
    contact: 'noc@falcon.example, +1 555 0105',
    company: 'FALCONAIR',
    behaviour: 'down',
    settings: LONG_SCHEDULE,
  },
  {
    name: 'Gateway Retail',
    contact: 'payments@gateway.example',
    company: 'GATEWAY',
    behaviour: 'refusing',
    settings: SHORT_SCHEDULE,
  },
  {
    name: 'Hollow Oak Partners',
    contact: 'treasury@hollowoak.example',
    company: 'HOLLOWOAK',
    behaviour: 'healthy',
    pauseReason: 'The customer moves to a new data centre tonight and asked for a pause',
  },
  {
    name: 'Larkspur Energy',
    contact: 'api@larkspur.example',
    company: 'LARKSPUR',
    behaviour: 'mismatched',
    settings: { ...LONG_SCHEDULE, signingSecret: LARKSPUR_SECRET },
  },
  { name: 'Iron Bridge Works', contact: 'erp@ironbridge.example', company: 'IRONBRIDGE', behaviour: 'gone' },
];

/** Registered after its first payments were posted, so that their events are unrouted. */
export const LATE_CONSUMER: SampleConsumer = {
  name: 'Northwind Traders',
  contact: 'it@northwind.example',
  company: 'NORTHWIND',
  behaviour: 'healthy',
};
