import { Text } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { EnvironmentDto } from '../../access/me.dto.js';

/** `GET /v1/session/openid`. */
export class OpenIdOfferDto {
  /** Completes “Sign in with …”; null: there is no provider to sign in with. */
  @ApiProperty({ type: String, nullable: true, example: 'the bank’s single sign-on' })
  label!: string | null;

  /** What this installation is called. */
  @ApiProperty({ type: () => EnvironmentDto, nullable: true })
  environment!: EnvironmentDto | null;
}

/** `POST /v1/session/openid`. */
export class OpenIdStartDto {
  /** The provider’s own page: where the browser goes next. */
  @ApiProperty({ format: 'uri' })
  location!: string;
}

/** `POST /v1/session/openid/answer`. */
export class OpenIdAnswerDto {
  /** The query that the provider sent the browser back with, as it is. */
  @Text({ min: 1, max: 8_192, schema: { example: 'code=…&state=…' } })
  answer!: string;
}
