import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/ingest.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { ActivateCredentials } from './consumers/credentials/activate-credentials.js';
import { AddCredentials } from './consumers/credentials/add-credentials.js';
import { CredentialsChanged } from './consumers/credentials/credentials-changed.js';
import { DropCredentials } from './consumers/credentials/drop-credentials.js';
import { ExplainSignature } from './consumers/signature/explain-signature.js';
import { MarkUnroutedSeen } from './events/mark-unrouted-seen.js';
import { ReadEnvelope } from './events/read-envelope.js';
import { SendEvent } from './events/send-event.js';
import { TestConsumer } from './consumers/diagnosis/test-consumer.js';
import { BulkActionCommands } from './bulk-actions/bulk-action-commands.js';
import { ConsumerCommands } from './consumers/consumer-commands.js';
import { DeliveryCommands } from './deliveries/delivery-commands.js';
import { SendingCommands } from './sending/sending-commands.js';
import { SignInLinkCommands } from './consumers/sign-in-links/sign-in-link-commands.js';
import { UrlRequestCommands } from './consumers/url-requests/url-request-commands.js';

const COMMANDS = [
  BulkActionCommands,
  ConsumerCommands,
  DeliveryCommands,
  SendingCommands,
  SignInLinkCommands,
  UrlRequestCommands,
  ActivateCredentials,
  AddCredentials,
  DropCredentials,
  ExplainSignature,
  MarkUnroutedSeen,
  ReadEnvelope,
  SendEvent,
  TestConsumer,
];

/**
 * Commands of people, a class for each resource. A command changes rows and writes the audit entry in one transaction, then adds
 * the consumers concerned to the queue. No command waits for a worker.
 */
@Module({
  imports: [DatabaseModule, IngestModule, SecretsModule],
  providers: [...COMMANDS, CredentialsChanged],
  exports: COMMANDS,
})
export class CommandsModule {}
