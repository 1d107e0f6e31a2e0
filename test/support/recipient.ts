import { achExample } from '#libs/contracts';
import type { NewConsumer } from '#libs/database';
import { sql } from 'kysely';
import { accept, addConsumer, type DispatcherInProcess } from '#test/support/dispatcher-in-process';

let serial = 0;

/** A consumer of the in-process dispatcher with its own company, so that it receives no other test's payments. */
export class Recipient {
  private made = 0;

  static async add(dispatcher: DispatcherInProcess, given: Partial<NewConsumer> = {}): Promise<Recipient> {
    serial += 1;
    const company = `RECIPIENT-${String(serial)}`;
    return new Recipient(
      dispatcher,
      company,
      await addConsumer(dispatcher, { ach_company_ids: [company], ...given }),
    );
  }

  private constructor(
    private readonly dispatcher: DispatcherInProcess,
    readonly company: string,
    readonly id: string,
  ) {}

  /** Accepts the next status of a payment. @returns the id of its delivery */
  async accept(payment: string): Promise<string> {
    this.made += 1;
    const change = achExample({
      transactionId: `${this.company}-${payment}`,
      amount: `${String(this.made)}.00`,
    });
    change.data.achEventInfo.debtor.achCompanyId = this.company;
    const answer = await accept(this.dispatcher, change);
    const delivery = answer.kind === 'accepted' ? answer.deliveries[0] : undefined;
    if (delivery === undefined) throw new Error('the change was not routed');
    return delivery.deliveryId;
  }

  /** Accepts the first status of `count` payments in sequence. @returns the ids of their deliveries */
  async acceptPayments(count: number): Promise<string[]> {
    const deliveries: string[] = [];
    for (let index = 0; index < count; index += 1) {
      deliveries.push(await this.accept(`payment-${String(this.made)}`));
    }
    return deliveries;
  }

  /** The ids of its deliveries in this state, the earliest due first. */
  async inState(state: string): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select s.id from pending_delivery_states s join pending_deliveries p on p.id = s.id
      where s.consumer_id = ${this.id} and s.state = ${state}
      order by p.next_attempt_at, p.id`.execute(this.dispatcher.db);
    return rows.map((row) => row.id);
  }

  /** The actions on it in the audit log, the oldest first. */
  async audited(): Promise<string[]> {
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target = ${`consumer:${this.id}`} order by id`.execute(
      this.dispatcher.db,
    );
    return rows.map((row) => row.action);
  }
}

/** The state of a delivery, with the reason if it is held; empty if the delivery does not exist. */
export async function stateOf({ db }: DispatcherInProcess, id: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select state || coalesce(':' || hold_reason, '') as state from pending_delivery_states where id = ${id}
    union all select state from deliveries where id = ${id}`.execute(db);
  return rows.map((row) => row.state).join();
}
