import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { IssuesController } from './issues.controller.js';
import { IssuesService } from './issues.service.js';

/** Health issues: a worker opens and ends them, people acknowledge and resolve them. */
@Module({
  imports: [DatabaseModule],
  controllers: [IssuesController],
  providers: [IssuesService],
})
export class IssuesModule {}
