import type { FieldFault } from '#libs/contracts';
import { ExternalIdTakenError } from '#libs/database';
import { canonicalConsumerUrl } from '#libs/egress';
import { checkRetrySchedule, mailAddressOf } from '#libs/policy';
import { checkPassword, checkUsername } from '#libs/vault';
import { ConflictException } from '@nestjs/common';

/** @returns the URL in the form that is signed and requested; an empty string after adding a fault to `faults` */
export function canonicalUrl(raw: string, allowHttp: boolean, faults: FieldFault[]): string {
  const url = canonicalConsumerUrl(raw, { allowHttp });
  if (url.ok) return url.url;
  faults.push({ field: 'url', message: url.message });
  return '';
}

export function checkSchedule(schedule: readonly number[] | null | undefined, faults: FieldFault[]): void {
  if (schedule === undefined || schedule === null) return;
  const checked = checkRetrySchedule(schedule);
  if (!checked.ok) faults.push(...checked.faults);
}

export function checkCredentials(
  credentials: { readonly username: string; readonly password: string },
  faults: FieldFault[],
): void {
  const username = checkUsername(credentials.username);
  if (username !== null) faults.push({ field: 'credentials.username', message: username });
  const password = checkPassword(credentials.password);
  if (password !== null) faults.push({ field: 'credentials.password', message: password });
}

/** A contact that is to get mails needs an address, and the dispatcher a mail server. */
export function checkNotifiedContact(
  consumer: { readonly notifyContact: boolean; readonly contact: string | null },
  isMailConfigured: boolean,
  faults: FieldFault[],
): void {
  if (!consumer.notifyContact) return;
  if (mailAddressOf(consumer.contact) === null)
    faults.push({ field: 'contact', message: 'must have a mail address while notifyContact is true' });
  if (!isMailConfigured)
    faults.push({
      field: 'notifyContact',
      message: 'cannot be true: set SMTP_URL and MAIL_FROM on every process first',
    });
}

/** @throws ConflictException when another consumer has the `externalId`; any other error unchanged */
export function refuseTakenId(error: unknown): never {
  if (error instanceof ExternalIdTakenError)
    throw new ConflictException('Another consumer has this externalId.');
  throw error;
}
