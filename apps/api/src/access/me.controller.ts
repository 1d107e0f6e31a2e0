import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ROLES } from '#libs/contracts';
import { Allow } from './allow.decorator.js';
import { CurrentCaller, effectiveRoles, type Caller } from './caller.js';
import { MeDto } from './me.dto.js';

@ApiTags('access')
@Controller({ path: 'me', version: '1' })
export class MeController {
  @Get()
  @Allow(...ROLES)
  @ApiOperation({ summary: 'Who the caller is and what it may do', operationId: 'me' })
  @ApiOkResponse({ type: MeDto })
  me(@CurrentCaller() caller: Caller): MeDto {
    return {
      name: caller.name,
      roles: [...caller.roles],
      may: effectiveRoles(caller),
      consumerId: caller.consumerId,
    };
  }
}
