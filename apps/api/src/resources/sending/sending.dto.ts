import type { Instant } from '#libs/contracts';

/** Pausing and resuming the sending to all consumers. */
export class SendingDto {
  state!: 'active' | 'paused';
  pausedAt!: Instant | null;
}
