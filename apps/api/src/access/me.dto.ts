import type { Config } from '#libs/config';
import { VERSION, type EnvironmentColor, type Role, type Uuid } from '#libs/contracts';
import { effectiveRoles, type Caller } from './caller.js';

/** Name and color of this installation (`ENVIRONMENT_NAME`). */
export class EnvironmentDto {
  /** @example production */
  name!: string;
  color!: EnvironmentColor;
}

export class MeDto {
  /**
   * The name of the API key or person, as in the audit log.
   * @example payments-hub
   */
  name!: string;
  /** Display name of a person who signed in by OpenID Connect; null for an API key. */
  person!: string | null;
  /** The roles granted to the key or person. */
  roles!: Role[];
  /** The granted roles and all roles that they include. A route is allowed if it names one of these. */
  may!: Role[];
  /** The consumer to which a key with the role `consumer` is bound; otherwise null. */
  consumerId!: Uuid | null;
  /** Name of that consumer; otherwise null. */
  consumerName!: string | null;
  /** Name and color of this installation, for the badge on every screen; null: not configured. */
  environment!: EnvironmentDto | null;
  /**
   * The version of the dispatcher that answered.
   * @example 1.0.0
   */
  version!: string;
}

/** The API's description of the caller. */
export const describeCaller = (caller: Caller, { environment }: Config): MeDto => ({
  name: caller.name,
  person: caller.person ?? null,
  roles: [...caller.roles],
  may: effectiveRoles(caller),
  consumerId: caller.consumerId,
  consumerName: caller.consumerName ?? null,
  environment,
  version: VERSION,
});
