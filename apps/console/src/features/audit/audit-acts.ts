import { durationInWords } from '../../formats/duration-in-words';
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
    label: 'Paused after 410 Gone',
    says: 'paused {it} because it answered 410 Gone',
  },
  'consumer.circuit_opened': {
    label: 'Circuit opened',
    says: ({ details }) =>
      `opened the circuit of {it}${times(details['failures'], ' after ', ' consecutive failures')}`,
  },
  'consumer.circuit_closed': {
    label: 'Circuit closed',
    says: ({ details }) => `closed the circuit of {it}${outageInWords(details)}`,
  },
  'consumer.secret_fault': {
    label: 'Credentials broken',
    says: 'could not decrypt the credentials of {it}; its deliveries are held',
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
    says: ({ details }) => `added credentials of {it}${times(details['credentialVersion'], ', version ')}`,
  },
  'credentials.activated': {
    label: 'Activated credentials',
    says: ({ after }) => `activated${version(after)} {it}’s credentials`,
  },
  'credentials.dropped': {
    label: 'Dropped scheduled credentials',
    says: ({ details }) => `dropped${version(details)} {it}’s credentials before its start`,
  },
  'credentials.reencrypted': {
    label: 'Re-encrypted credentials',
    says: ({ details }) => `encrypted${version(details)} {it}’s credentials with the newest key`,
  },
  'signature.explained': {
    label: 'Explained a signature',
    says: ({ details }) =>
      details['finding'] === undefined
        ? 'read how {it} is signed'
        : 'compared a signature that {it} computed',
  },
  'delivery.retried': {
    label: 'Retried a delivery',
    says: ({ details }) => `retried {it}${was(details['from'])}`,
  },
  'delivery.cancelled': {
    label: 'Cancelled a delivery',
    says: ({ details }) => `cancelled {it}${was(details['from'])}`,
  },
  'event.sent': { label: 'Sent an event manually', says: 'sent {it} manually' },
  'event.envelope-read': { label: 'Read account numbers', says: 'read the account numbers of {it}' },
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
    label: 'Created an API key',
    says: ({ target, details: { name } }) =>
      target.startsWith('consumer:') && typeof name === 'string'
        ? `created the key “${name}” for {it}`
        : 'created the API key {it}',
  },
  'api-key.revoked': { label: 'Revoked an API key', says: 'revoked the API key {it}' },
};

export const isAuditAction = (text: string | undefined): text is AuditAction =>
  text !== undefined && text in AUDIT_ACTS;

/** What an entry says, before and after what it was done to. An action of a newer api is shown as it is. */
export function sayWhat(entry: AuditEntry): readonly [string, string] {
  const { action } = entry;
  if (!isAuditAction(action)) return [`${action}: `, ''];
  const { says } = AUDIT_ACTS[action];
  const [before = '', after = ''] = (typeof says === 'string' ? says : says(entry)).split('{it}');
  return [before, after];
}

/** Of an outage that is over, with a comma before it: `, open for 12 min 3 s, 4 probes failed`. */
export function outageInWords({ downtimeMs, failedProbes }: AuditEntry['details']): string {
  const open = typeof downtimeMs === 'number' ? `, open for ${durationInWords(downtimeMs)}` : '';
  return open + times(failedProbes, ', ', failedProbes === 1 ? ' probe failed' : ' probes failed');
}

/** The value between two texts, or nothing at all where it is not recorded. */
const times = (value: unknown, before: string, after = ''): string =>
  typeof value === 'number' ? `${before}${value.toLocaleString('en-GB')}${after}` : '';

const version = (of: AuditEntry['after']): string => times(of?.['credentialVersion'], ' version ', ' of');

const was = (state: unknown): string =>
  typeof state === 'string' ? `, which was ${state === 'queued' ? 'scheduled' : state}` : '';
