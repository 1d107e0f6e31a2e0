import { Anchor } from '@mantine/core';
import { contactHref } from './contact-href';

/** A contact; a link when it has a telephone number or an address. */
export function ContactLink({ contact }: { contact: string | null }) {
  if (contact === null) return <span>No contact</span>;
  const href = contactHref(contact);
  return href === null ? (
    <span>{contact}</span>
  ) : (
    <Anchor href={href} inherit>
      {contact}
    </Anchor>
  );
}
