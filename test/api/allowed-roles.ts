import { ROLES, type Role } from '#libs/contracts';

/** The operations that need no authentication: the sign-in. */
export const UNAUTHENTICATED =
  'signIn signInByLink readOpenIdOffer beginOpenIdSignIn finishOpenIdSignIn'.split(' ');

/** The operations that roles may call, by the API contract. `listAudit` without a target: viewers may read the entries of a consumer. */
const OPERATIONS: readonly (readonly [roles: readonly Role[], operations: string])[] = [
  [ROLES, 'signIn signInByLink readOpenIdOffer beginOpenIdSignIn finishOpenIdSignIn signOut me'],
  [
    ['producer', 'viewer', 'oncall', 'operator', 'admin'],
    'readStatus listEvents readEvent listPayments readPayment search',
  ],
  [['admin'], 'createApiKey listApiKeys revokeApiKey listAudit'],
  [['producer', 'admin'], 'postEvent postEventBatch'],
  [
    ['viewer', 'oncall', 'operator', 'admin'],
    'listDeliveries readDelivery listBulkActions readBulkAction listConsumers readConsumer ' +
      'listCredentials listFailures listConsumerKeys listSignInLinks listUrlRequests reportConsumers ' +
      'readQueue readStats listIssues readIssue listChannels readChannel',
  ],
  [
    ['oncall', 'operator', 'admin'],
    'retryDelivery cancelDelivery sendEvent startBulkAction stopBulkAction pauseConsumer resumeConsumer ' +
      'testConsumer explainSignature pauseSending resumeSending readEnvelope acknowledgeIssue resolveIssue',
  ],
  [
    ['operator', 'admin'],
    'registerConsumer changeConsumer removeConsumer addCredentials activateCredentials dropCredentials ' +
      'createConsumerKey revokeConsumerKey createSignInLink revokeSignInLink approveUrlRequest ' +
      'rejectUrlRequest createChannel changeChannel removeChannel testChannel',
  ],
  [['consumer'], 'listNotifications'],
];

/** An operation that is missing here fails the test. */
export const ALLOWED_ROLES = new Map(
  OPERATIONS.flatMap(([roles, operations]) => operations.split(' ').map((name) => [name, roles] as const)),
);
