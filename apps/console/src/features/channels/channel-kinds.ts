import {
  IconBrandSlack,
  IconBrandTeams,
  IconMail,
  IconPhoneCalling,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react';
import type { Schema } from '../../api';

type ChannelKind = Schema<'ChannelDto'>['kind'];

/** Every kind of channel. */
export const CHANNEL_KINDS: Readonly<Record<ChannelKind, { label: string; icon: Icon }>> = {
  slack: { label: 'Slack', icon: IconBrandSlack },
  teams: { label: 'Microsoft Teams', icon: IconBrandTeams },
  pagerduty: { label: 'PagerDuty', icon: IconPhoneCalling },
  email: { label: 'E-mail', icon: IconMail },
  webhook: { label: 'Signed webhook', icon: IconWebhook },
};
