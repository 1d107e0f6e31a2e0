import { CHANNEL_KINDS, OneOf, type ChannelKind } from '#libs/contracts';
import { ChannelName } from '../../access/names.js';
import { ChannelFieldsDto } from './change-channel.dto.js';

/** Body of `POST /v1/channels`. */
export class CreateChannelDto extends ChannelFieldsDto {
  @ChannelName()
  name!: string;

  /** Which fields a kind needs: `webhook`, `slack`, `teams`: `url`. `pagerduty`: `routingKey`. `email`: `recipients`. */
  @OneOf(CHANNEL_KINDS)
  kind!: ChannelKind;
}
