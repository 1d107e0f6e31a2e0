import { Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { Routes } from '../../http/routes.js';
import { NotificationListDto } from './notification.dto.js';
import { NotificationsQueryDto } from './notifications-query.dto.js';
import { NotificationsService } from './notifications.service.js';

/** Lists a consumer's own notifications, delivered or not. */
@Routes({ path: 'notifications', tag: 'notifications' })
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  /**
   * List the notifications meant for the caller, oldest first
   * @remarks Delivered or not, as far back as 90 days. New ones come at the end: a client that pages inside a fixed
   * `from` and `to`, or goes on from where the last page ended, misses none and gets none twice. The list is written
   * while it is read: if the connection breaks off before its end, ask for the page again.
   */
  @Get()
  @Allow('consumer')
  @ApiOkResponse({ type: NotificationListDto })
  listNotifications(
    @Query() query: NotificationsQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    return this.notifications.list(query, caller);
  }
}
