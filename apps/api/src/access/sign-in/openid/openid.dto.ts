import { Text, type Url } from '#libs/contracts';
import type { EnvironmentDto } from '../../me.dto.js';

/** Response of `GET /v1/session/openid`. */
export class OpenIdOfferDto {
  /**
   * Completes the button text “Sign in with …”; null: no OpenID provider is configured.
   * @example the bank’s single sign-on
   */
  label!: string | null;
  /** Name and color of this installation; null: not configured. */
  environment!: EnvironmentDto | null;
}

/** Response of `POST /v1/session/openid`. */
export class OpenIdStartDto {
  /** URL of the provider’s sign-in page, to which the browser goes next. */
  location!: Url;
}

/** Body of `POST /v1/session/openid/answer`. */
export class OpenIdAnswerDto {
  /** The unchanged query of the URL to which the provider redirected the browser. */
  @Text({ min: 1, max: 8_192, schema: { example: 'code=…&state=…' } })
  answer!: string;
}
