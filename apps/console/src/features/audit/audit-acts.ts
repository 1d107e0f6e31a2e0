import type { AuditAction, AuditEntry } from './use-audit';

/** What was done: its name as a filter, and what a sentence says after the actor, `{it}` being what it was done to. */
interface Act {
  readonly label: string;
  readonly says: string | ((entry: AuditEntry) => string);
}

/** Every action that the audit log knows, in the order in which they are offered. */
export const AUDIT_ACTS: Readonly<Record<AuditAction, Act>> = {
  'queue.paused': { label: 'Paused sending to everybody', says: 'paused {it}' },
  'queue.resumed': { label: 'Resumed sending to everybody', says: 'resumed {it}' },
  'consumer.paused': { label: 'Paused a consumer', says: 'paused {it}' },
  'consumer.resumed': { label: 'Resumed a consumer', says: 'resumed {it}' },
  'consumer.paused_by_consumer': {
    label: 'Consumer asked to stop (410)',
    says: 'paused {it}, because it answered 410 Gone',
  },
  'consumer.circuit_opened': {
    label: 'Consumer went down',
    says: ({ details }) =>
      `stopped sending to {it}, which is down${times(details['failures'], ' after ', ' failures in a row')}`,
  },
  'consumer.probe_failed': { label: 'Consumer still down', says: 'tried {it} again: it is still down' },
  'consumer.circuit_closed': {
    label: 'Consumer came back',
    says: 'went on sending to {it}, which answers again',
  },
  'consumer.secret_fault': {
    label: 'Credentials unreadable',
    says: 'could not decrypt the credentials of {it}, whose deliveries wait',
  },
  'consumer.secret_mended': {
    label: 'Credentials readable again',
    says: 'can decrypt the credentials of {it} again',
  },
  'consumer.registered': { label: 'Registered a consumer', says: 'registered {it}' },
  'consumer.changed': { label: 'Changed a consumer', says: 'changed the settings of {it}' },
  'consumer.removed': { label: 'Removed a consumer', says: 'removed {it}' },
  'consumer.tested': { label: 'Sent a test delivery', says: 'sent a test delivery to {it}' },
  'credentials.added': {
    label: 'Added credentials',
    says: ({ details }) => `gave {it} new credentials${times(details['credentialVersion'], ', version ')}`,
  },
  'credentials.activated': {
    label: 'Put credentials in force',
    says: ({ after }) =>
      `put${times(after?.['credentialVersion'], ' version ', ' of')} {it}’s credentials in force`,
  },
  'credentials.dropped': {
    label: 'Dropped coming credentials',
    says: ({ details }) =>
      `dropped${times(details['credentialVersion'], ' version ', ' of')} {it}’s credentials before it came into force`,
  },
  'credentials.reencrypted': {
    label: 'Re-encrypted credentials',
    says: ({ details }) =>
      `encrypted${times(details['credentialVersion'], ' version ', ' of')} {it}’s credentials with the newest key`,
  },
  'signature.explained': {
    label: 'Had a signature explained',
    says: ({ details }) =>
      details['finding'] === undefined
        ? 'looked at how a signature for {it} is made'
        : 'compared a signature that {it} has computed',
  },
  'delivery.retried': {
    label: 'Retried a delivery',
    says: ({ details }) => `retried {it}${was(details['from'])}`,
  },
  'delivery.cancelled': {
    label: 'Cancelled a delivery',
    says: ({ details }) => `cancelled {it}${was(details['from'])}`,
  },
  'event.sent': {
    label: 'Sent an event by hand',
    says: 'sent {it} by hand',
  },
  'bulk-action.started': {
    label: 'Started a bulk action',
    says: ({ details }) => `started {it}${times(details['matched'], ' of ', ' deliveries')}`,
  },
  'bulk-action.stopped': {
    label: 'Stopped a bulk action',
    says: ({ details }) => `stopped {it}${times(details['processed'], ' after ', ' deliveries')}`,
  },
  'bulk-action.finished': {
    label: 'Finished a bulk action',
    says: ({ details }) => `finished {it}${times(details['changed'], ' of ', ' deliveries')}`,
  },
  'api-key.created': {
    label: 'Made an API key',
    says: ({ target, details }) =>
      target.startsWith('consumer:')
        ? `made the key “${text(details['name'])}” for {it}`
        : 'made the API key {it}',
  },
  'api-key.revoked': { label: 'Revoked an API key', says: 'revoked the API key {it}' },
};

export const isAuditAction = (text: string | undefined): text is AuditAction =>
  text !== undefined && text in AUDIT_ACTS;

/** What an entry tells, before and after what it was done to. An action of a newer api stands as it is. */
export function sayWhat(entry: AuditEntry): readonly [string, string] {
  const { action } = entry;
  if (!isAuditAction(action)) return [`${action}: `, ''];
  const { says } = AUDIT_ACTS[action];
  const [before = '', after = ''] = (typeof says === 'string' ? says : says(entry)).split('{it}');
  return [before, after];
}

/** The value between two texts, or nothing at all where it is not recorded. */
const times = (value: unknown, before: string, after = ''): string =>
  typeof value === 'number' ? `${before}${value.toLocaleString('en-GB')}${after}` : '';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const was = (state: unknown): string => (typeof state === 'string' ? `, which was ${state}` : '');
