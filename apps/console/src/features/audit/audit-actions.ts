import type { ListQuery, Schema } from '../../api';
import { countInWords } from '../../formats/count-in-words';
import { durationInWords } from '../../formats/duration-in-words';

export type AuditQuery = ListQuery<'/v1/audit'>;
type AuditAction = NonNullable<AuditQuery['action']>;
export type AuditEntry = Schema<'AuditEntryDto'>;

/**
 * An action: its name as a filter, and the rest of a sentence after the actor. `{it}` is the target, any other name a
 * recorded value; text in brackets is left out where that value is not recorded.
 */
type ActionText = readonly [label: string, says: string | ((entry: AuditEntry) => string)];

/** Every action of the audit log, in the order of the filter. */
export const AUDIT_ACTIONS: Readonly<Record<AuditAction, ActionText>> = {
  'sending.paused': ['Paused sending to all consumers', 'paused {it}'],
  'sending.resumed': ['Resumed sending to all consumers', 'resumed {it}'],
  'consumer.paused': ['Paused a consumer', 'paused {it}'],
  'consumer.resumed': ['Resumed a consumer', 'resumed {it}'],
  'consumer.paused_by_consumer': ['Paused after 410 Gone', 'paused {it} because it answered 410 Gone'],
  'consumer.circuit_opened': [
    'Circuit opened',
    'opened the circuit of {it}[ after {failures} consecutive failures]',
  ],
  'consumer.circuit_closed': [
    'Circuit closed',
    ({ details }) => `closed the circuit of {it}${outageInWords(details)}`,
  ],
  'consumer.secret_fault': [
    'Credentials broken',
    'could not decrypt the credentials of {it}; its deliveries are held',
  ],
  'consumer.secret_restored': ['Credentials readable again', 'can decrypt the credentials of {it} again'],
  'consumer.registered': ['Registered a consumer', 'registered {it}'],
  'consumer.changed': ['Changed a consumer', 'changed the settings of {it}'],
  'consumer.removed': ['Removed a consumer', 'removed {it}'],
  'consumer.tested': ['Sent a test delivery', 'sent a test delivery to {it}'],
  'credentials.added': ['Added credentials', 'added credentials of {it}[, version {credentialVersion}]'],
  'credentials.activated': [
    'Activated credentials',
    'activated[ version {credentialVersion} of] {it}’s credentials',
  ],
  'credentials.dropped': [
    'Dropped scheduled credentials',
    'dropped[ version {credentialVersion} of] {it}’s credentials before its start',
  ],
  'credentials.reencrypted': [
    'Re-encrypted credentials',
    'encrypted[ version {credentialVersion} of] {it}’s credentials with the newest key',
  ],
  'signature.explained': [
    'Explained a signature',
    ({ details }) =>
      details['finding'] === undefined
        ? 'read how {it} is signed'
        : 'compared a signature that {it} computed',
  ],
  'delivery.retried': ['Retried a delivery', 'retried {it}[, which was {from}]'],
  'delivery.cancelled': ['Cancelled a delivery', 'cancelled {it}[, which was {from}]'],
  'event.sent': ['Sent an event manually', 'sent {it} manually'],
  'event.envelope-read': ['Read account numbers', 'read the account numbers of {it}'],
  'unrouted.seen': ['Marked unrouted events as seen', 'marked {it} as seen'],
  'bulk-action.started': ['Started a bulk action', 'started {it}[ of {matched} deliveries]'],
  'bulk-action.stopped': ['Stopped a bulk action', 'stopped {it}[ after {processed} deliveries]'],
  'bulk-action.finished': ['Finished a bulk action', 'finished {it}[ of {changed} deliveries]'],
  'api-key.created': [
    'Created an API key',
    ({ target }) =>
      target.startsWith('consumer:') ? 'created[ the key “{name}” for] {it}' : 'created the API key {it}',
  ],
  'api-key.revoked': ['Revoked an API key', 'revoked the API key {it}'],
  'channel.created': ['Created a channel', 'created the channel {it}'],
  'channel.changed': ['Changed a channel', 'changed the channel {it}'],
  'channel.removed': ['Removed a channel', 'removed the channel {it}'],
  'channel.tested': ['Tested a channel', 'sent a test message to the channel {it}'],
  'alerts.changed': ['Changed alerts', 'changed the alerts of {it}'],
  'alerts.tested': ['Tested alerts', 'sent a test message by the alerts of {it}'],
  'issue.acknowledged': ['Acknowledged an issue', 'acknowledged {it}'],
  'issue.resolved': ['Resolved an issue', 'resolved {it}'],
  'sign-in-link.created': ['Created a sign-in link', 'created a sign-in link[ for “{name}”] of {it}'],
  'sign-in-link.used': ['Used a sign-in link', 'signed in to the portal of {it}'],
  'sign-in-link.revoked': ['Revoked a sign-in link', 'revoked the sign-in link[ of “{name}”] of {it}'],
  'url-request.made': ['Requested a change of the URL', 'requested a change of the URL of {it}'],
  'url-request.approved': ['Approved a change of the URL', 'approved the requested URL of {it}'],
  'url-request.rejected': ['Rejected a change of the URL', 'rejected the requested URL of {it}'],
  'url-request.withdrawn': [
    'Withdrew a change of the URL',
    'withdrew the requested change of the URL of {it}',
  ],
};

export const isAuditAction = (text: string | undefined): text is AuditAction =>
  text !== undefined && text in AUDIT_ACTIONS;

/** The sentence of an entry, before and after its target. An action of a newer api is shown as it is. */
export function sentenceOf(entry: AuditEntry): readonly [string, string] {
  const { action, details, after } = entry;
  if (!isAuditAction(action)) return [`${action}: `, ''];
  const [, says] = AUDIT_ACTIONS[action];
  const [first = '', last = ''] = (typeof says === 'string' ? says : says(entry)).split('{it}').map((part) =>
    part.replaceAll(OPTIONAL, (_part, before: string, name: string, behind: string) => {
      const value = valueInWords(details[name] ?? after?.[name]);
      return value === null ? '' : `${before}${value}${behind}`;
    }),
  );
  return [first, last];
}

const OPTIONAL = /\[(.*?)\{(\w+)\}(.*?)\]/g;

function valueInWords(value: unknown): string | null {
  if (typeof value === 'number') return countInWords(value);
  return typeof value !== 'string' ? null : value === 'queued' ? 'scheduled' : value;
}

/** The length of an outage that has ended, after a comma: `, open for 12 min 3 s, 4 probes failed`. */
function outageInWords({ downtimeMs, failedProbes }: AuditEntry['details']): string {
  const open = typeof downtimeMs === 'number' ? `, open for ${durationInWords(downtimeMs)}` : '';
  if (typeof failedProbes !== 'number') return open;
  return `${open}, ${countInWords(failedProbes)} ${failedProbes === 1 ? 'probe' : 'probes'} failed`;
}
