import type { CertificateFacts } from '#libs/contracts';
import type { ColumnType } from 'kysely';

/** A time that only PostgreSQL writes. */
export type SetByDatabase = ColumnType<Date, never, never>;

/** Written as JSON text: the driver would make JSON of an object, but an array of a list. */
export type CertificateList = ColumnType<CertificateFacts[], string | undefined, string>;
