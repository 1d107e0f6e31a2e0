import type { CredentialVersion } from '#libs/database';
import type { Scope } from '../../../access/scope.js';
import { certificateView } from '../certificates/certificate-view.js';
import type { CredentialVersionDto } from './credentials.dto.js';

/** A version of the credentials in the API's form. Names of the bank's people and its certificates are only for them. */
export function versionView(row: CredentialVersion, { consumerId }: Scope): CredentialVersionDto {
  const isOwn = consumerId !== undefined;
  return {
    version: row.version,
    state: row.state,
    activateAt: row.activateAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    createdBy: isOwn ? null : row.createdBy,
    clientCertificates: isOwn ? [] : row.clientCertificates.map(certificateView),
  };
}
