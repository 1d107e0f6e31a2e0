import { CONFIG, type Config } from '#libs/config';
import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ROLES } from '#libs/contracts';
import { Allow } from './allow.decorator.js';
import { CurrentCaller, type Caller } from './caller.js';
import { AnswersWithoutDatabase } from './without-database.decorator.js';
import { describeCaller, MeDto } from './me.dto.js';

@ApiTags('access')
@Controller({ path: 'me', version: '1' })
export class MeController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  @Allow(...ROLES)
  @AnswersWithoutDatabase()
  @ApiOperation({ summary: 'Read the caller’s own identity and roles', operationId: 'me' })
  @ApiOkResponse({ type: MeDto })
  me(@CurrentCaller() caller: Caller): MeDto {
    return describeCaller(caller, this.config);
  }
}
