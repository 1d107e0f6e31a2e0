import { Get } from '@nestjs/common';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, mayActAs, type Caller } from '../access/caller.js';
import { AnswersWithoutDatabase } from '../access/without-database.decorator.js';
import { Routes } from '../http/routes.js';
import { PartsWatch } from './parts-watch.service.js';
import { StatusDto, type PartName } from './status.dto.js';

/** Advice for readers without experience: the effect of the outage, then what to do. */
const WHAT_TO_DO: Readonly<Record<PartName, string>> = {
  postgres:
    'No status change is accepted (producers get a 503 and send again) and nothing new is sent. What was accepted is ' +
    'kept. Check: is the server up, is its disk full, can this machine reach it, is DATABASE_URL right? The dispatcher ' +
    'reconnects and catches up automatically. Nothing has to be restarted.',
  redis:
    'Nothing new is sent. Status changes are still accepted and kept. Check: is the server up, is its memory full, can ' +
    'this machine reach it, is REDIS_URL right? When Redis is back, even empty, everything that waits is sent within a ' +
    'minute. Nothing has to be restarted.',
};

@Routes({ path: 'status', tag: 'system' })
export class StatusController {
  constructor(private readonly watch: PartsWatch) {}

  /**
   * Whether PostgreSQL and Redis are up, and since when
   * @remarks Answers a session even while both are down. The fault and the advice need the role viewer.
   */
  @Get()
  @Allow('viewer', 'producer')
  @AnswersWithoutDatabase()
  readStatus(@CurrentCaller() caller: Caller): StatusDto {
    const runsIt = mayActAs(caller, ['viewer']);
    return {
      asOf: new Date().toISOString(),
      parts: this.watch.observations().map(({ name, fault, since }) => ({
        name,
        state: fault === null ? 'up' : 'down',
        since: since.toISOString(),
        detail: runsIt ? fault : null,
        whatToDo: fault === null || !runsIt ? null : WHAT_TO_DO[name],
      })),
    };
  }
}
