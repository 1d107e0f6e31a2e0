import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/ingest.module.js';
import { SecretsModule } from '../providers.js';
import { CancelDelivery } from '../resources/deliveries/cancel-delivery.js';
import { ChangeConsumer } from '../resources/consumers/change-consumer.js';
import { ActivateCredentials } from '../resources/consumers/credentials/activate-credentials.js';
import { AddCredentials } from '../resources/consumers/credentials/add-credentials.js';
import { CredentialsChanged } from '../resources/consumers/credentials/credentials-changed.js';
import { DropCredentials } from '../resources/consumers/credentials/drop-credentials.js';
import { ExplainSignature } from './explain-signature.js';
import { PauseConsumer } from '../resources/consumers/pause-consumer.js';
import { PauseSending } from '../system/queue/pause-sending.js';
import { CreateSignInLink } from '../resources/consumers/sign-in-links/create-sign-in-link.js';
import { RevokeSignInLink } from '../resources/consumers/sign-in-links/revoke-sign-in-link.js';
import { ApproveUrlRequest } from '../resources/consumers/url-requests/approve-url-request.js';
import { MakeUrlRequest } from '../resources/consumers/url-requests/make-url-request.js';
import { RejectUrlRequest } from '../resources/consumers/url-requests/reject-url-request.js';
import { WithdrawUrlRequest } from '../resources/consumers/url-requests/withdraw-url-request.js';
import { ReadEnvelope } from '../resources/events/read-envelope.js';
import { RegisterConsumer } from '../resources/consumers/register-consumer.js';
import { RemoveConsumer } from '../resources/consumers/remove-consumer.js';
import { ResumeConsumer } from '../resources/consumers/resume-consumer.js';
import { ResumeSending } from '../system/queue/resume-sending.js';
import { RetryDelivery } from '../resources/deliveries/retry-delivery.js';
import { SendEvent } from '../resources/events/send-event.js';
import { StartBulkAction } from '../resources/bulk-actions/start-bulk-action.js';
import { StopBulkAction } from '../resources/bulk-actions/stop-bulk-action.js';
import { TestConsumer } from '../resources/consumers/diagnosis/test-consumer.js';

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
