import type { CertificateFacts } from '#libs/contracts';
import type { ColumnType } from 'kysely';

/** A time that only PostgreSQL writes. */
export type SetByDatabase = ColumnType<Date, never, never>;

/** Written as JSON text, since the driver would convert a list to a PostgreSQL array instead of JSON. */
export type CertificateList = ColumnType<CertificateFacts[], string | undefined, string>;
