import { achExample, wireExample } from '#libs/contracts';
import type { SentChange } from '#test/chaos/observations';
import type { SeededRandom } from '#test/chaos/seeded-random';

/** A status change that is to be sent, and what the suite knows about it. */
export interface NextChange {
  /** Event type and payment id. */
  readonly payment: string;
  readonly place: number;
  readonly change: SentChange;
  /** Companies whose consumers it concerns. */
  readonly companies: readonly string[];
}

const ACH_STATUSES = ['INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'] as const;
const WIRE_STATUSES = ['Review', 'Exception', 'Send Ready', 'Complete'] as const;

interface Payment {
  readonly kind: 'ach' | 'wire';
  readonly id: string;
  readonly companies: readonly string[];
  readonly statuses: number;
  sent: number;
}

/** What one producer announces: a few payments at a time, their statuses interleaved, without end. */
export class Payments {
  private readonly open: Payment[] = [];
  private started = 0;

  constructor(
    private readonly producer: string,
    private readonly companies: readonly [string, ...string[]],
    private readonly random: SeededRandom,
    private readonly atATime = 4,
  ) {}

  next(): NextChange {
    while (this.open.length < this.atATime) this.open.push(this.startOne());
    const [first, ...others] = this.open;
    if (first === undefined) throw new Error('a producer always has a payment');
    const payment = this.random.pick([first, ...others]);
    const place = payment.sent;
    payment.sent += 1;
    if (payment.sent === payment.statuses) this.open.splice(this.open.indexOf(payment), 1);
    return {
      payment: `${payment.kind}.status ${payment.id}`,
      place,
      change: payment.kind === 'ach' ? achChange(payment, place) : wireChange(payment, place),
      companies: payment.companies,
    };
  }

  /** ACH and wire in turn, two of which have the same id and are different payments all the same. */
  private startOne(): Payment {
    const number = this.started;
    this.started += 1;
    const kind = number % 2 === 0 ? 'ach' : 'wire';
    const ordering = this.random.pick(this.companies);
    return {
      kind,
      id: `PAY-${this.producer}-${Math.floor(number / 2)}`,
      companies: kind === 'ach' ? [ordering, this.random.pick(this.companies)] : [ordering],
      statuses: this.random.whole(3, 9),
      sent: 0,
    };
  }
}

function achChange({ id, companies }: Payment, place: number): SentChange {
  const change = achExample({
    transactionId: id,
    status: ACH_STATUSES[place % ACH_STATUSES.length] ?? 'RETURN',
    amount: `${place}.00`,
  });
  change.eventDateTime = new Date().toISOString();
  const { debtor, creditor } = change.data.achEventInfo;
  debtor.achCompanyId = companies[0] ?? '';
  creditor.achCompanyId = companies[1] ?? '';
  return change;
}

/** After its first status a wire often says nothing about its parties: it goes where the payment went before. */
function wireChange({ id, companies }: Payment, place: number): SentChange {
  const change = wireExample({
    paymentId: id,
    status: WIRE_STATUSES[place % WIRE_STATUSES.length] ?? 'Complete',
    exceptionInfo: [{ exceptionCode: `E${place}`, exceptionDescription: `status ${place}` }],
  });
  change.eventDateTime = new Date().toISOString();
  const { wireEventInfo } = change.data;
  if (place % 3 === 1) delete wireEventInfo.originalWire;
  else if (wireEventInfo.originalWire !== undefined) {
    wireEventInfo.originalWire.originatorInfo.wireCompanyId = companies[0] ?? '';
  }
  return change;
}
