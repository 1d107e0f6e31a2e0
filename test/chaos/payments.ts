import { achExample, wireExample } from '#libs/contracts';
import type { SentChange } from '#test/chaos/observations';
import type { SeededRandom } from '#test/chaos/seeded-random';

/** A status change to post, and its expected consumers. */
export interface NextChange {
  /** Event type and payment id. */
  readonly payment: string;
  readonly position: number;
  readonly change: SentChange;
  /** Companies whose consumers receive it. */
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

/** The endless status changes of one producer: a few payments at a time, with interleaved statuses. */
export class Payments {
  private readonly open: Payment[] = [];
  private started = 0;

  constructor(
    private readonly producer: string,
    private readonly companies: readonly [string, ...string[]],
    private readonly random: SeededRandom,
    private readonly openPayments = 4,
  ) {}

  next(): NextChange {
    while (this.open.length < this.openPayments) this.open.push(this.startOne());
    const [first, ...others] = this.open;
    if (first === undefined) throw new Error('a producer always has a payment');
    const payment = this.random.pick([first, ...others]);
    const position = payment.sent;
    payment.sent += 1;
    if (payment.sent === payment.statuses) this.open.splice(this.open.indexOf(payment), 1);
    return {
      payment: `${payment.kind}.status ${payment.id}`,
      position,
      change: payment.kind === 'ach' ? achChange(payment, position) : wireChange(payment, position),
      companies: payment.companies,
    };
  }

  /** Alternates ACH and wire; an ACH and a wire payment have the same id and are different payments. */
  private startOne(): Payment {
    const number = this.started;
    this.started += 1;
    const kind = number % 2 === 0 ? 'ach' : 'wire';
    const ordering = this.random.pick(this.companies);
    return {
      kind,
      id: `PAY-${this.producer}-${Math.floor(number / 2)}`,
      companies: kind === 'ach' ? [ordering, this.random.pick(this.companies)] : [ordering],
      statuses: this.random.integer(3, 9),
      sent: 0,
    };
  }
}

function achChange({ id, companies }: Payment, position: number): SentChange {
  const change = achExample({
    transactionId: id,
    status: ACH_STATUSES[position % ACH_STATUSES.length] ?? 'RETURN',
    amount: `${position}.00`,
  });
  change.eventDateTime = new Date().toISOString();
  const { debtor, creditor } = change.data.achEventInfo;
  debtor.achCompanyId = companies[0] ?? '';
  creditor.achCompanyId = companies[1] ?? '';
  return change;
}

/** A later status of a wire often has no parties; it goes to the consumers of the payment's earlier statuses. */
function wireChange({ id, companies }: Payment, position: number): SentChange {
  const change = wireExample({
    paymentId: id,
    status: WIRE_STATUSES[position % WIRE_STATUSES.length] ?? 'Complete',
    exceptionInfo: [{ exceptionCode: `E${position}`, exceptionDescription: `status ${position}` }],
  });
  change.eventDateTime = new Date().toISOString();
  const { wireEventInfo } = change.data;
  if (position % 3 === 1) delete wireEventInfo.originalWire;
  else if (wireEventInfo.originalWire !== undefined) {
    wireEventInfo.originalWire.originatorInfo.wireCompanyId = companies[0] ?? '';
  }
  return change;
}
