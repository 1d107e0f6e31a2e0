import { Text } from '#libs/contracts';

/** `POST /v1/session`. */
export class SignInDto {
  /** The API key, as it was shown when it was made. */
  @Text({ min: 1, max: 300 })
  apiKey!: string;
}
