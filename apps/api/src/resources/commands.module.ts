import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/ingest.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { CancelDelivery } from './deliveries/cancel-delivery.js';
import { ChangeConsumer } from './consumers/change-consumer.js';
import { ActivateCredentials } from './consumers/credentials/activate-credentials.js';
import { AddCredentials } from './consumers/credentials/add-credentials.js';
import { CredentialsChanged } from './consumers/credentials/credentials-changed.js';
import { DropCredentials } from './consumers/credentials/drop-credentials.js';
import { ExplainSignature } from './consumers/signature/explain-signature.js';
import { PauseConsumer } from './consumers/pause-consumer.js';
import { PauseSending } from './sending/pause-sending.js';
import { CreateSignInLink } from './consumers/sign-in-links/create-sign-in-link.js';
import { RevokeSignInLink } from './consumers/sign-in-links/revoke-sign-in-link.js';
import { ApproveUrlRequest } from './consumers/url-requests/approve-url-request.js';
import { MakeUrlRequest } from './consumers/url-requests/make-url-request.js';
import { RejectUrlRequest } from './consumers/url-requests/reject-url-request.js';
import { WithdrawUrlRequest } from './consumers/url-requests/withdraw-url-request.js';
import { ReadEnvelope } from './events/read-envelope.js';
import { RegisterConsumer } from './consumers/register-consumer.js';
import { RemoveConsumer } from './consumers/remove-consumer.js';
import { ResumeConsumer } from './consumers/resume-consumer.js';
import { ResumeSending } from './sending/resume-sending.js';
import { RetryDelivery } from './deliveries/retry-delivery.js';
import { SendEvent } from './events/send-event.js';
import { StartBulkAction } from './bulk-actions/start-bulk-action.js';
import { StopBulkAction } from './bulk-actions/stop-bulk-action.js';
import { TestConsumer } from './consumers/diagnosis/test-consumer.js';

const COMMANDS = [
  ActivateCredentials,
  AddCredentials,
  ApproveUrlRequest,
  CancelDelivery,
  ChangeConsumer,
  CreateSignInLink,
  DropCredentials,
  ExplainSignature,
  MakeUrlRequest,
  PauseConsumer,
  PauseSending,
  ReadEnvelope,
  RejectUrlRequest,
  RegisterConsumer,
  RemoveConsumer,
  ResumeConsumer,
  ResumeSending,
  RetryDelivery,
  RevokeSignInLink,
  SendEvent,
  StartBulkAction,
  StopBulkAction,
  TestConsumer,
  WithdrawUrlRequest,
];

/**
 * Commands of people, one class each. A command changes rows and writes the audit entry in one transaction, then adds
 * the consumers concerned to the queue. No command waits for a worker.
 */
@Module({
  imports: [DatabaseModule, IngestModule, SecretsModule],
  providers: [...COMMANDS, CredentialsChanged],
  exports: COMMANDS,
})
export class CommandsModule {}
