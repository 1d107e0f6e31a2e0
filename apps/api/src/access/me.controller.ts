import { CONFIG, type Config } from '#libs/config';
import { Get, Inject } from '@nestjs/common';
import { ROLES } from '#libs/contracts';
import { Allow } from './allow.decorator.js';
import { CurrentCaller, type Caller } from './caller.js';
import { Routes } from '../http/routes.js';
import { AnswersWithoutDatabase } from './without-database.decorator.js';
import { describeCaller, MeDto } from './me.dto.js';

@Routes({ path: 'me', tag: 'access' })
export class MeController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Read the caller’s own identity and roles */
  @Get()
  @Allow(...ROLES)
  @AnswersWithoutDatabase()
  me(@CurrentCaller() caller: Caller): MeDto {
    return describeCaller(caller, this.config);
  }
}
