import type { PersonRole } from '#libs/contracts';
import type { Environment } from './environment.js';
import { roleMapEntry } from './openid-rules.js';

/** The provider for sign-in, and the mapping of its claim to roles. */
export interface OpenIdConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Public address of the console's `/sign-in/openid`. */
  readonly redirectUrl: string;
  readonly rolesClaim: string;
  /** Role by value of that claim. */
  readonly roleMap: ReadonlyMap<string, PersonRole>;
  /** Completes “Sign in with …”. */
  readonly label: string;
}

const NEEDED = [
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_REDIRECT_URL',
  'OIDC_ROLE_MAP',
] as const satisfies readonly (keyof Environment)[];

/** @returns null when no required variable is set; otherwise `needed` reports the missing ones */
export function readOpenId(
  values: Environment,
  needed: (name: keyof Environment, why: string) => string,
): OpenIdConfig | null {
  const given = NEEDED.find((name) => values[name] !== undefined);
  if (given === undefined) return null;
  const why = `${given} is set, and signing in by OpenID Connect needs both`;
  const roleMap = values.OIDC_ROLE_MAP;
  if (roleMap === undefined) needed('OIDC_ROLE_MAP', why);
  return {
    issuer: needed('OIDC_ISSUER', why),
    clientId: needed('OIDC_CLIENT_ID', why),
    clientSecret: needed('OIDC_CLIENT_SECRET', why),
    redirectUrl: needed('OIDC_REDIRECT_URL', why),
    rolesClaim: values.OIDC_ROLES_CLAIM,
    roleMap: new Map((roleMap ?? []).map(roleMapEntry).filter((entry) => entry !== null)),
    label: values.OIDC_LABEL,
  };
}
