import type { ChannelKind, FieldFault } from '#libs/contracts';
import type { Config } from '#libs/config';
import type { ChannelSecretValues } from '#libs/vault';
import { canonicalUrl } from '../consumers/settings-rules.js';
import type { ChangeChannelDto } from './change-channel.dto.js';

type Given = Pick<ChangeChannelDto, 'url' | 'routingKey' | 'recipients'>;
type GivenField = keyof Given;

/** Fields that a kind needs, and fields that it may have. */
const FIELDS: Readonly<
  Record<ChannelKind, { needed: readonly GivenField[]; possible: readonly GivenField[] }>
> = {
  webhook: { needed: ['url'], possible: ['url'] },
  slack: { needed: ['url'], possible: ['url'] },
  teams: { needed: ['url'], possible: ['url'] },
  pagerduty: { needed: ['routingKey'], possible: ['routingKey', 'url'] },
  email: { needed: ['recipients'], possible: ['recipients'] },
};

/** Checks the fields that depend on the kind. @param isNew whether absent fields are missing, or stay as they are */
export function checkDestination(
  kind: ChannelKind,
  given: Given,
  { isNew, config }: { isNew: boolean; config: Config },
): { faults: FieldFault[]; secrets: ChannelSecretValues } {
  const { needed, possible } = FIELDS[kind];
  const faults: FieldFault[] = [];
  for (const field of ['url', 'routingKey', 'recipients'] as const) {
    if (given[field] !== undefined && !possible.includes(field))
      faults.push({ field, message: `is not a field of a channel of the kind ${kind}` });
    if (isNew && given[field] === undefined && needed.includes(field))
      faults.push({ field, message: `is required for a channel of the kind ${kind}` });
  }
  if (kind === 'email' && config.mail === null)
    faults.push({
      field: 'kind',
      message: 'cannot be email: set SMTP_URL and MAIL_FROM on every process first',
    });
  const url =
    given.url === undefined || !possible.includes('url')
      ? undefined
      : canonicalUrl(given.url, config.egress.allowHttp, faults);
  return { faults, secrets: { url, routingKey: given.routingKey } };
}
