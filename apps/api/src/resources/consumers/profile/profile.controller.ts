import { Get } from '@nestjs/common';
import { OwnConsumer } from '../../../access/scope.js';
import { Portal } from '../../../access/portal-route.decorator.js';
import { PortalProfileDto } from './profile.dto.js';
import { ProfileService } from './profile.service.js';

@Portal()
export class ProfileController {
  constructor(private readonly profile: ProfileService) {}

  /** Read the caller’s own consumer and its state */
  @Get()
  readPortal(@OwnConsumer() consumerId: string): Promise<PortalProfileDto> {
    return this.profile.read(consumerId);
  }
}
