import { ConsumersRepository } from '#libs/database';
import { Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';

/** Removes a consumer: nothing is sent to it any more, and its pending deliveries are cancelled. */
@Injectable()
export class RemoveConsumer {
  constructor(private readonly consumers: ConsumersRepository) {}

  /** @throws NotFoundException */
  async execute(id: string, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, { action: 'consumer.removed', target: `consumer:${id}` });
    if (!(await this.consumers.remove(id, entry))) throw new NotFoundException('There is no such consumer.');
  }
}
