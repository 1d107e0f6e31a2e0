import { CONSOLE_PATHS } from '#apps/api/src/console/console-paths';
import { ROLES, type Role } from '#libs/contracts';

/** The operations that need no authentication: the sign-in, and the schemas of notifications. */
export const UNAUTHENTICATED =
  'signIn signInByLink readOpenIdOffer beginOpenIdSignIn finishOpenIdSignIn readSchema'.split(' ');

/** The operations that roles may call, by the API contract. `listAudit` without a target: viewers may read the entries of a consumer. */
const OPERATIONS: readonly (readonly [roles: readonly Role[], operations: string])[] = [
  [ROLES, [...UNAUTHENTICATED, 'signOut me'].join(' ')],
  [
    ['producer', 'viewer', 'oncall', 'operator', 'admin'],
    'readStatus listEvents readEvent listPayments readPayment search',
  ],
  [['admin'], 'createApiKey listApiKeys revokeApiKey listAudit'],
  [['producer', 'admin'], 'postEvent postEventBatch'],
  [
    ['viewer', 'oncall', 'operator', 'admin'],
    'listBulkActions readBulkAction listConsumers readConsumer listConsumerKeys listSignInLinks ' +
      'listUrlRequests reportConsumers readOverview listIssues readIssue listChannels readChannel',
  ],
  [
    ['viewer', 'oncall', 'operator', 'admin', 'consumer'],
    'listDeliveries readDelivery listCredentials listFailures readStats',
  ],
  [
    ['oncall', 'operator', 'admin'],
    'cancelDelivery sendEvent sendUnrouted markUnroutedSeen startBulkAction stopBulkAction pauseConsumer resumeConsumer ' +
      'pauseSending resumeSending readEnvelope acknowledgeIssue resolveIssue',
  ],
  [['oncall', 'operator', 'admin', 'consumer'], 'retryDelivery testConsumer explainSignature'],
  [['operator', 'admin', 'consumer'], 'addCredentials activateCredentials dropCredentials'],
  [
    ['operator', 'admin'],
    'registerConsumer changeConsumer removeConsumer createConsumerKey revokeConsumerKey createSignInLink revokeSignInLink approveUrlRequest ' +
      'rejectUrlRequest createChannel changeChannel removeChannel testChannel',
  ],
  // For the consumer's own people only: no other role includes `consumer`.
  [
    ['consumer'],
    'listNotifications readPortal createPortalKey listPortalKeys revokePortalKey startPortalReplay listPortalReplays ' +
      'readPortalReplay stopPortalReplay makePortalUrlRequest listPortalUrlRequests withdrawPortalUrlRequest readPortalAlerts choosePortalAlerts testPortalAlerts',
  ],
];

/** An operation that is missing here fails the test. */
export const ALLOWED_ROLES = new Map(
  OPERATIONS.flatMap(([roles, operations]) => operations.split(' ').map((name) => [name, roles] as const)),
);

/** The undocumented routes, which anybody may call. */
export const UNDOCUMENTED: readonly RegExp[] = [
  /^\/(livez|readyz|metrics)$/,
  /^\/docs(-json|-yaml)?(\/|$)/,
  // The console's page and files are the same for every visitor, and show no data without the API.
  new RegExp(`^/((${CONSOLE_PATHS.join('|')})(/\\*)?)?$`),
  /^\/assets\/|^\/portal\/basic/,
];
