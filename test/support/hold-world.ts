import type { BulkActionKind } from '#libs/contracts';
import {
  BulkActionsRepository,
  cancelDelivery,
  ConsumersRepository,
  leasesRunOut,
  patrolLanes,
  pauseConsumer,
  record,
  releaseForFreed,
  resumeConsumer,
  retryDelivery,
  take,
  topUp,
  type AttemptResult,
  type AuditEntry,
  type Taken,
} from '#libs/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { soundStep } from '#test/support/bulk-runs';
import { brokenRules } from '#test/support/hold-rules';
import type { Step } from '#test/support/hold-step';
import { Recipient, resultOf } from '#test/support/recipient';
import type { StoryInProcess } from '#test/support/story-in-process';

const AUDIT: AuditEntry = { actor: 'model', action: 'model', target: 'model', address: null, details: {} };

const MOST_ROUNDS = 500;
/** Few, so that histories get between the batches of a bulk action. */
const BATCH = 3;

interface Member {
  readonly recipient: Recipient;
  isPaused: boolean;
  limit: number;
}

const NEXT: Readonly<Record<'delivered' | 'retry' | 'dead', AttemptResult['next']>> = {
  delivered: { state: 'delivered' },
  dead: { state: 'dead' },
  retry: { retryInMs: 0 },
};

/**
 * Two consumers with three payments each, and what the rest of the product would know of them: the jobs in the queue,
 * the workers' leases, late ones too, and the gates that are still to be looked at. A delivery goes only if it has a
 * job, and has one only if it was released, so that one that nobody releases stays.
 */
export class HoldWorld {
  private readonly jobs = new Set<string>();
  private readonly inHand: Taken[] = [];
  private held: string[] = [];
  private freed: { consumerId: string; slots: number }[] = [];
  /** Opened again by hand: order binds what was open together, and these come late by intent. */
  private readonly reopened = new Set<string>();
  /** Those whose limit fell below what was under way. */
  private readonly wasLowered = new Set<string>();

  static async create(story: StoryInProcess): Promise<HoldWorld> {
    const members: Member[] = [];
    for (const limit of [1, 2]) {
      const recipient = await Recipient.add(story, { max_concurrency: limit });
      members.push({ recipient, isPaused: false, limit });
    }
    return new HoldWorld(story, members);
  }

  private constructor(
    private readonly story: StoryInProcess,
    private readonly members: readonly Member[],
  ) {}

  /** What **accept** has put on hold at these gates is looked at later. */
  putOnHold(consumerIds: readonly string[]): void {
    this.held.push(...consumerIds);
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'accept':
        await Promise.all(step.lanes.map((lane) => this.accept(lane)));
        return;
      case 'take':
        await this.take(
          (await this.openIds()).filter((_, index) => ((step.which >> (index % 12)) & 1) === 1),
        );
        return;
      case 'record': {
        const [taken] = this.inHand.splice(step.which % Math.max(1, this.inHand.length), 1);
        if (taken !== undefined) await this.record(taken, NEXT[step.next]);
        return;
      }
      case 'loseLease':
        await this.loseLease(this.inHand[step.which % Math.max(1, this.inHand.length)]);
        return;
      case 'pause':
        await pauseConsumer(this.story.db, this.member(step.consumer).recipient.id, 'model', AUDIT);
        this.member(step.consumer).isPaused = true;
        return;
      case 'resume':
        await this.resume(this.member(step.consumer));
        return;
      case 'limit':
        await this.setLimit(this.member(step.consumer), step.maxConcurrency);
        return;
      case 'retry':
        await this.retry(await this.anyId(step.which), step.force);
        return;
      case 'cancel':
        await this.cancel(await this.anyId(step.which));
        return;
      case 'bulk':
        await this.startBulk(this.member(step.consumer), step.action);
        return;
      case 'stepBulk':
        await this.stepBulk();
        return;
      case 'lookAtGates':
        await this.lookAtGates();
        return;
      case 'reconcile':
        await this.reconcile();
        return;
      case 'together':
        await Promise.all(step.steps.map((one) => this.run(one)));
        return;
    }
  }

  /** Ends every pause and works until there are no jobs. @returns what is still open then */
  async drain(): Promise<string[]> {
    for (const member of this.members) await this.resume(member);
    while (await this.stepBulk());
    let rounds = 0;
    do {
      if ((rounds += 1) > MOST_ROUNDS) throw new Error('there is no end to the work');
      for (const taken of this.inHand.splice(0)) await this.record(taken, NEXT.delivered);
      await this.lookAtGates();
      this.addJobs(await leasesRunOut(this.story.db, 1_000));
      await this.take([...this.jobs]);
    } while (this.jobs.size + this.inHand.length + this.held.length + this.freed.length > 0);
    return this.openIds();
  }

  /** Every rule that is broken at this moment, in words. */
  broken(): Promise<string[]> {
    return brokenRules(this.story.db, this.ids(), [...this.reopened]);
  }

  private readonly ids = (): string[] => this.members.map(({ recipient }) => recipient.id);

  private member(which: number): Member {
    const member = this.members[which % this.members.length];
    if (member === undefined) throw new Error('there are no consumers');
    return member;
  }

  private async openIds(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from open_deliveries where consumer_id = any (${this.ids()}::uuid[]) order by id`.execute(
      this.story.db,
    );
    return rows.map(({ id }) => id);
  }

  private async allIds(consumerIds: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from open_deliveries where consumer_id = any (${consumerIds}::uuid[])
      union all select id from deliveries where consumer_id = any (${consumerIds}::uuid[]) order by id`.execute(
      this.story.db,
    );
    return rows.map(({ id }) => id);
  }

  /** One of all that there ever were. */
  private async anyId(which: number): Promise<string | undefined> {
    const ids = await this.allIds(this.ids());
    return ids[which % Math.max(1, ids.length)];
  }

  private async retry(id: string | undefined, force: boolean): Promise<void> {
    if (id === undefined) return;
    const retried = await retryDelivery(this.story.db, id, { force }, AUDIT);
    if (retried.kind !== 'done') return;
    this.reopened.add(id);
    this.addJobs(retried.queued);
    this.held.push(...retried.atGateOf);
  }

  private async cancel(id: string | undefined): Promise<void> {
    if (id === undefined) return;
    const cancelled = await cancelDelivery(this.story.db, id, AUDIT);
    if (cancelled.kind === 'done') this.addJobs(cancelled.released);
  }

  private async startBulk({ recipient }: Member, action: BulkActionKind): Promise<void> {
    for (const id of await this.allIds([recipient.id])) this.reopened.add(id);
    const id = uuidv7();
    await this.story.app
      .get(BulkActionsRepository, { strict: false })
      .start(
        { id, action, filter: { consumerId: recipient.id }, reason: 'model', createdBy: 'model' },
        AUDIT,
      );
  }

  /** @returns whether there was anything to do */
  private async stepBulk(): Promise<boolean> {
    const step = await soundStep(this.story.db, BATCH);
    if (step === undefined) return false;
    this.addJobs(step.released);
    this.held.push(...step.atGateOf);
    return true;
  }

  private async accept(lane: number): Promise<void> {
    const id = await this.member(lane).recipient.accept(`lane-${String((lane >> 1) % 3)}`);
    const { rows } = await sql`select from open_deliveries where id = ${id} and state = 'queued'`.execute(
      this.story.db,
    );
    if (rows.length > 0) this.jobs.add(id);
  }

  private async take(ids: readonly string[]): Promise<void> {
    const answers = await take(this.story.db, ids);
    for (const [index, answer] of answers.entries()) {
      if (answer.kind === 'taken') {
        this.inHand.push(answer);
        if (this.members.some((m) => m.isPaused && m.recipient.id === answer.consumerId)) {
          throw new Error('taken although its consumer is paused');
        }
      }
      if (answer.kind === 'held' && answer.atGateOf !== null) this.held.push(answer.atGateOf);
      if (answer.kind !== 'leased' && answer.kind !== 'not_due') this.jobs.delete(ids[index] ?? '');
    }
    if (answers.some(({ kind }) => kind === 'taken')) await this.checkLimits();
  }

  private async checkLimits(): Promise<void> {
    for (const { recipient, limit } of this.members) {
      const { rows } = await sql`
        select from open_deliveries
        where consumer_id = ${recipient.id} and state = 'sending' and lease_until > now()`.execute(
        this.story.db,
      );
      if (rows.length > limit && !this.wasLowered.has(recipient.id)) {
        throw new Error(`${String(rows.length)} are being sent, and ${String(limit)} may be`);
      }
      if (rows.length <= limit) this.wasLowered.delete(recipient.id);
    }
  }

  private async setLimit(member: Member, limit: number): Promise<void> {
    if (limit < member.limit) this.wasLowered.add(member.recipient.id);
    member.limit = limit;
    const consumers = this.story.app.get(ConsumersRepository, { strict: false });
    await consumers.update(member.recipient.id, { max_concurrency: limit }, () => AUDIT);
  }

  private async record(taken: Taken, next: AttemptResult['next']): Promise<void> {
    const [answer] = await record(this.story.db, [resultOf(taken, next)]);
    if (answer?.recorded !== true) return;
    this.addJobs(answer.released);
    if ('retryInMs' in next) this.jobs.add(taken.deliveryId);
    this.freed.push({ consumerId: taken.consumerId, slots: 1 });
  }

  private async loseLease(taken: Taken | undefined): Promise<void> {
    if (taken === undefined) return;
    await sql`
      update open_deliveries set lease_until = now() - interval '1 ms'
      where id = ${taken.deliveryId} and lease = ${taken.lease} and state = 'sending'`.execute(this.story.db);
  }

  private async resume(member: Member): Promise<void> {
    member.isPaused = false;
    await resumeConsumer(this.story.db, member.recipient.id, AUDIT);
    this.held.push(member.recipient.id);
  }

  /** What the gatekeeper does behind the back of **accept**, **take** and **record**, after their commits. */
  private async lookAtGates(): Promise<void> {
    const [held, freed] = [this.held, this.freed];
    [this.held, this.freed] = [[], []];
    for (const one of freed) this.addJobs((await releaseForFreed(this.story.db, [one])).released);
    if (held.length > 0) this.addJobs(await topUp(this.story.db, [...new Set(held)]));
  }

  private async reconcile(): Promise<void> {
    this.addJobs(await leasesRunOut(this.story.db, 1_000));
    this.addJobs(await topUp(this.story.db, undefined));
    const { released } = await patrolLanes(this.story.db, null, 10_000);
    if (released.length > 0) throw new Error('the patrol had something to release');
  }

  private addJobs(released: readonly { readonly deliveryId: string }[]): void {
    for (const { deliveryId } of released) this.jobs.add(deliveryId);
  }
}
