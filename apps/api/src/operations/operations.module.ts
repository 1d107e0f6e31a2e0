import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/ingest.module.js';
import { SecretsModule } from '../providers.js';
import { CancelDelivery } from './cancel-delivery.js';
import { ChangeConsumer } from './change-consumer.js';
import { ActivateCredentials } from './credentials/activate-credentials.js';
import { AddCredentials } from './credentials/add-credentials.js';
import { CredentialsChanged } from './credentials/credentials-changed.js';
import { DropCredentials } from './credentials/drop-credentials.js';
import { ExplainSignature } from './explain-signature.js';
import { PauseConsumer } from './pause-consumer.js';
import { PauseSending } from './pause-sending.js';
import { CreateSignInLink } from './portal/create-sign-in-link.js';
import { RevokeSignInLink } from './portal/revoke-sign-in-link.js';
import { ApproveUrlRequest } from './portal/approve-url-request.js';
import { MakeUrlRequest } from './portal/make-url-request.js';
import { RejectUrlRequest } from './portal/reject-url-request.js';
import { WithdrawUrlRequest } from './portal/withdraw-url-request.js';
import { ReadEnvelope } from './read-envelope.js';
import { RegisterConsumer } from './register-consumer.js';
import { RemoveConsumer } from './remove-consumer.js';
import { ResumeConsumer } from './resume-consumer.js';
import { ResumeSending } from './resume-sending.js';
import { RetryDelivery } from './retry-delivery.js';
import { SendEvent } from './send-event.js';
import { StartBulkAction } from './start-bulk-action.js';
import { StopBulkAction } from './stop-bulk-action.js';
import { TestConsumer } from './testing/test-consumer.js';

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
export class OperationsModule {}
