import type { CredentialVersion } from '#libs/database';
import { certificateView } from '../certificates/certificate-view.js';
import type { CredentialVersionDto } from './credentials.dto.js';

/** A version of the credentials in the API's form. */
export const versionView = (row: CredentialVersion): CredentialVersionDto => ({
  version: row.version,
  state: row.state,
  activateAt: row.activateAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
  clientCertificates: row.clientCertificates.map(certificateView),
});
