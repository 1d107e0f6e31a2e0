import type { Schema } from '../../api';
import type { Channel } from './channel-words';

/** A channel in its form. A URL and a key are never shown again: empty means unchanged, or PagerDuty's default. */
export interface ChannelValues {
  name: string;
  kind: Channel['kind'];
  url: string;
  routingKey: string;
  recipients: string[];
  /** Empty: all. */
  issueKinds: NonNullable<Channel['issueKinds']>;
  severities: Channel['severities'];
  /** Empty: all, and the installation. */
  consumerIds: string[];
  hasHours: boolean;
  timeZone: string;
  /** `1` is Monday. */
  days: string[];
  from: string;
  to: string;
  enabled: boolean;
}

/** What a new channel of a kind announces, as the api would choose it. */
export const severitiesOf = (kind: Channel['kind']): Channel['severities'] =>
  kind === 'pagerduty' ? ['page'] : ['page', 'ticket', 'info'];

export const NEW_CHANNEL: ChannelValues = {
  name: '',
  kind: 'slack',
  url: '',
  routingKey: '',
  recipients: [],
  issueKinds: [],
  severities: severitiesOf('slack'),
  consumerIds: [],
  hasHours: false,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  days: ['1', '2', '3', '4', '5'],
  from: '08:00',
  to: '18:00',
  enabled: true,
};

export const valuesOf = (channel: Channel): ChannelValues => ({
  ...NEW_CHANNEL,
  name: channel.name,
  kind: channel.kind,
  recipients: channel.recipients,
  issueKinds: channel.issueKinds ?? [],
  severities: channel.severities,
  consumerIds: channel.consumerIds ?? [],
  enabled: channel.enabled,
  ...(channel.hours === null
    ? {}
    : { ...channel.hours, hasHours: true, days: channel.hours.days.map(String) }),
});

/** The change for the api: a destination that was not typed again stays as it is. */
export function changeOf(values: ChannelValues): Schema<'ChangeChannelDto'> {
  const { kind, url, routingKey, recipients, issueKinds, severities, consumerIds, hasHours } = values;
  const { timeZone, from, to } = values;
  return {
    name: values.name.trim(),
    ...(kind === 'email' ? { recipients } : {}),
    ...(kind !== 'email' && url.trim() !== '' ? { url: url.trim() } : {}),
    ...(kind === 'pagerduty' && routingKey.trim() !== '' ? { routingKey: routingKey.trim() } : {}),
    severities,
    issueKinds: issueKinds.length === 0 ? null : issueKinds,
    consumerIds: consumerIds.length === 0 ? null : consumerIds,
    hours: hasHours
      ? { timeZone, days: values.days.map(Number).toSorted((one, other) => one - other), from, to }
      : null,
    enabled: values.enabled,
  };
}
