import { pageOf, paginated } from '#libs/contracts';
import { NotificationsRepository } from '#libs/database';
import { ForbiddenException, Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import type { NotificationListDto } from './notification.dto.js';
import type { NotificationsQueryDto } from './notifications-query.dto.js';

@Injectable()
export class NotificationsService {
  constructor(private readonly notifications: NotificationsRepository) {}

  /**
   * The consumer's own. The page is cut, and its end told, by deliveries: an envelope that retention has dropped
   * before its late delivery is left out without moving those behind it.
   */
  async list(query: NotificationsQueryDto, { consumerId }: Caller): Promise<NotificationListDto> {
    if (consumerId === null) throw new ForbiddenException('This key is not bound to a consumer.');
    const page = pageOf(query);
    const { eventType, from, to } = query;
    const bodies = await this.notifications.list(
      {
        consumerId,
        ...(eventType === undefined ? {} : { eventType }),
        ...(from === undefined ? {} : { from: new Date(from) }),
        ...(to === undefined ? {} : { to: new Date(to) }),
      },
      page,
    );
    const { entries, pagination } = paginated('entries', bodies, page);
    return { events: entries.flatMap((body) => (body === null ? [] : [envelopeOf(body)])), pagination };
  }
}

/** Written again it is what it was, byte for byte: JSON.stringify made it, of strings (shown in libs/contracts, status-change.properties.spec.ts). */
function envelopeOf(body: string): Record<string, unknown> {
  const envelope: Record<string, unknown> = JSON.parse(body);
  return envelope;
}
