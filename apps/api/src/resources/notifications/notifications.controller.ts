import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { NotificationListDto } from './notification.dto.js';
import { NotificationsQueryDto } from './notifications-query.dto.js';
import { NotificationsService } from './notifications.service.js';

/** Lists a consumer's own notifications, delivered or not. */
@ApiTags('notifications')
@Controller({ path: 'notifications', version: '1' })
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @Allow('consumer')
  @ApiOperation({
    summary: 'List the notifications meant for the caller, oldest first',
    description:
      'Delivered or not, as far back as 90 days. New ones come at the end: a client that pages ' +
      'inside a fixed `from` and `to`, or goes on from where the last page ended, misses none and gets none twice. ' +
      'The list is written while it is read: if the connection breaks off before its end, ask for the page again.',
    operationId: 'listNotifications',
  })
  @ApiOkResponse({ type: NotificationListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: NotificationsQueryDto, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return this.notifications.list(query, caller);
  }
}
