import { AcceptStore, DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AcceptService } from './accept.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { RoutingDirectory } from './routing-directory.js';

/** Accepts status changes. */
@Module({
  imports: [DatabaseModule],
  controllers: [IngestController],
  providers: [AcceptService, AcceptStore, IngestService, RoutingDirectory],
  exports: [AcceptService, RoutingDirectory],
})
export class IngestModule {}
