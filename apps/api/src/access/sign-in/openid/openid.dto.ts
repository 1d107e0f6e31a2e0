import { Text, type Url } from '#libs/contracts';
import type { EnvironmentDto } from '../../me.dto.js';

/** The look of the console and the portal (`BRAND_NAME`, `BRAND_COLOR`, `BRAND_LOGO_FILE`). */
export class BrandDto {
  /**
   * Null: the product’s own name.
   * @example Example Bank
   */
  name!: string | null;
  /**
   * A color on which white text is readable; null: the product’s own.
   * @example #0b5cad
   */
  color!: string | null;
  /**
   * Path of the logo, an SVG or PNG image; null: none.
   * @example /brand/logo
   */
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
