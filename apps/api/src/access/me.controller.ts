import { CONFIG, type Config } from '#libs/config';
import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ROLES } from '#libs/contracts';
import { Allow } from './allow.decorator.js';
import { CurrentCaller, type Caller } from './caller.js';
import { AnswersWithoutDatabase } from './without-database.decorator.js';
import { introduce, MeDto } from './me.dto.js';

@ApiTags('access')
@Controller({ path: 'me', version: '1' })
export class MeController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  @Allow(...ROLES)
  @AnswersWithoutDatabase()
  @ApiOperation({ summary: 'Who the caller is and what it may do', operationId: 'me' })
  @ApiOkResponse({ type: MeDto })
  me(@CurrentCaller() caller: Caller): MeDto {
    return introduce(caller, this.config);
  }
}
