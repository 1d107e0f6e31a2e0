import { Text, type Url } from '#libs/contracts';
import type { EnvironmentDto } from '../../me.dto.js';

/** The bank’s look in the console and the portal (`BRAND_NAME`, `BRAND_COLOR`, `BRAND_LOGO_FILE`). */
export class BrandDto {
  /** @example Example Bank */
  name!: string | null;
  /** `#rrggbb`; white text on it is readable. */
  color!: string | null;
  /** Path of an SVG or PNG image. */
  logo!: string | null;
}

/** Response of `GET /v1/session/openid`. */
export class OpenIdOfferDto {
  /**
   * Completes the button text “Sign in with …”; null: no OpenID provider is configured.
   * @example the bank’s single sign-on
   */
  label!: string | null;
  /** Name and color of this installation; null: not configured. */
  environment!: EnvironmentDto | null;
  brand!: BrandDto;
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
