import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AcceptService } from './accept.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { RoutingDirectory } from './routing-directory.js';

/** Status changes are taken in. */
@Module({
  imports: [DatabaseModule],
  controllers: [IngestController],
  providers: [AcceptService, IngestService, RoutingDirectory],
  exports: [AcceptService, RoutingDirectory],
})
export class IngestModule {}
