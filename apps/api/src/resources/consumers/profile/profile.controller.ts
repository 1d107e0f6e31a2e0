import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { OwnConsumer } from '../../../access/portal/own-consumer.decorator.js';
import { Portal } from '../../../access/portal/portal-route.decorator.js';
import { PortalProfileDto } from './profile.dto.js';
import { ProfileService } from './profile.service.js';

@Portal()
@Controller({ path: 'portal', version: '1' })
export class ProfileController {
  constructor(private readonly profile: ProfileService) {}

  @Get()
  @ApiOperation({ summary: 'Read the caller’s own consumer and its state', operationId: 'readPortal' })
  @ApiOkResponse({ type: PortalProfileDto })
  read(@OwnConsumer() consumerId: string): Promise<PortalProfileDto> {
    return this.profile.read(consumerId);
  }
}
