import { CHANNEL_KINDS, OneOf, Text, type ChannelKind } from '#libs/contracts';
import { ChangeChannelDto } from './change-channel.dto.js';

/** Body of `POST /v1/channels`. */
export class CreateChannelDto extends ChangeChannelDto {
  @Text({ min: 1, max: 100, schema: { example: 'Payments on call' } })
  declare name: string;

  /** Which fields a kind needs: `webhook`, `slack`, `teams`: `url`. `pagerduty`: `routingKey`. `email`: `recipients`. */
  @OneOf(CHANNEL_KINDS)
  kind!: ChannelKind;
}
