import { Injectable, NotImplementedException } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import type { NotificationListDto } from './notification.dto.js';
import type { NotificationsQueryDto } from './notifications-query.dto.js';

@Injectable()
export class NotificationsService {
  list(_query: NotificationsQueryDto, _caller: Caller): Promise<NotificationListDto> {
    throw new NotImplementedException('Not yet.');
  }
}
