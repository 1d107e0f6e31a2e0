import { instantOf, pageOf, paginated } from '#libs/contracts';
import { NotificationsRepository } from '#libs/database';
import { ForbiddenException, HttpException, Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import type { NotificationListDto } from './notification.dto.js';
import type { NotificationsQueryDto } from './notifications-query.dto.js';

/** Consumers that catch up after an outage must leave connections to those who look for its cause. */
const MOST_AT_ONCE = 3;

@Injectable()
export class NotificationsService {
  private underWay = 0;

  constructor(private readonly notifications: NotificationsRepository) {}

  /**
   * The consumer's own. The page is cut, and its end told, by deliveries: an envelope that retention has dropped
   * before its late delivery is left out without moving those behind it.
   * @throws HttpException 429 when others' lists are being read, as many as may be
   */
  async list(query: NotificationsQueryDto, { consumerId }: Caller): Promise<NotificationListDto> {
    if (consumerId === null) throw new ForbiddenException('This key is not bound to a consumer.');
    const page = pageOf(query);
    const { eventType, from, to } = query;
    const filter = {
      consumerId,
      ...(eventType === undefined ? {} : { eventType }),
      ...(from === undefined ? {} : { from: instantOf(from) }),
      ...(to === undefined ? {} : { to: instantOf(to) }),
    };
    if (this.underWay >= MOST_AT_ONCE) throw new HttpException('Others are listing theirs. Ask again.', 429);
    this.underWay += 1;
    const bodies = await this.notifications.list(filter, page).finally(() => (this.underWay -= 1));
    const { entries, pagination } = paginated('entries', bodies, page);
    return { events: entries.flatMap((body) => (body === null ? [] : [envelopeOf(body)])), pagination };
  }
}

/** Written again it is what it was, byte for byte: JSON.stringify made it, of strings (shown in libs/contracts, status-change.properties.spec.ts). */
function envelopeOf(body: string): Record<string, unknown> {
  const envelope: Record<string, unknown> = JSON.parse(body);
  return envelope;
}
