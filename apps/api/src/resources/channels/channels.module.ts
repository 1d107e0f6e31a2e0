import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { SecretsModule } from '../../providers.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';

/** Channels: operators set them up, and a worker sends their messages. */
@Module({
  imports: [DatabaseModule, SecretsModule],
  controllers: [ChannelsController],
  providers: [ChannelsService],
})
export class ChannelsModule {}
