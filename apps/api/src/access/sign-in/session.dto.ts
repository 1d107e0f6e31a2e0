import { Text } from '#libs/contracts';

/** Body of `POST /v1/session/link`. */
export class UseSignInLinkDto {
  /** The part of the link after `#link=`. */
  @Text({ min: 1, max: 300, schema: { example: 'pnl_…' } })
  token!: string;
}

/** Body of `POST /v1/session`. */
export class SignInDto {
  /** The API key, as returned when it was created. */
  @Text({ min: 1, max: 300 })
  apiKey!: string;
}
