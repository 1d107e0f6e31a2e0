import type { Instant, PaginationDto, SignInLinkState, Uuid } from '#libs/contracts';
import { KeyName } from '../../../access/names.js';
import { ComingInstant } from '../../../http/coming-instant.js';

/** `POST /v1/consumers/:id/sign-in-links`. */
export class CreateSignInLinkDto {
  /** Whom the link is for: the actor of the session in the audit log. */
  @KeyName()
  name!: string;

  /** Until when the link can be used, at most 7 days ahead. Absent: 24 hours. */
  @ComingInstant({ withinDays: 7 })
  expiresAt?: string;
}

/** A sign-in link, without its token. */
export class SignInLinkDto {
  id!: Uuid;
  name!: string;
  /** `used`: a session was begun, which lasts 12 hours at most. `revoked`: its session has ended too. */
  state!: SignInLinkState;
  /** Name of the API key or person that created it. */
  createdBy!: string;
  createdAt!: Instant;
  expiresAt!: Instant;
  usedAt!: Instant | null;
  revokedAt!: Instant | null;
}

export class SignInLinkCreatedDto extends SignInLinkDto {
  /**
   * The link. Only this response contains it. It begins with `PUBLIC_URL`; without that setting it is a path of the
   * console. Browsers do not send the part after `#`, so that no server logs the token.
   * @example https://notifications.bank.example/sign-in#link=pnl_…
   */
  url!: string;
}

export class SignInLinkListDto {
  signInLinks!: SignInLinkDto[];
  pagination!: PaginationDto;
}
