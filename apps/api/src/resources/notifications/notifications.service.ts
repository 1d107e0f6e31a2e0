import { pageOf, paginated } from '#libs/contracts';
import { NotificationsRepository } from '#libs/database';
import { ForbiddenException, Injectable, type StreamableFile } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { streamedAnswer } from '../../http/streamed-answer.js';
import type { NotificationsQueryDto } from './notifications-query.dto.js';

@Injectable()
export class NotificationsService {
  constructor(private readonly notifications: NotificationsRepository) {}

  /**
   * The caller's notifications as a streamed `NotificationListDto`: the stored envelopes, byte for byte. The page is
   * determined by deliveries. An envelope that retention has removed is omitted, which does not change the positions
   * of later ones.
   */
  async list(query: NotificationsQueryDto, { consumerId }: Caller): Promise<StreamableFile> {
    if (consumerId === null) throw new ForbiddenException('This key is not bound to a consumer.');
    const page = pageOf(query);
    const rows = await this.notifications.list({ ...query, consumerId }, page);
    const { entries, pagination } = paginated('entries', rows, page);
    const records = this.notifications.bodies(entries);
    return streamedAnswer({ name: 'events', records, after: { pagination } });
  }
}
