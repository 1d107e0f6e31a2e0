import { Anchor } from '@mantine/core';
import { contactHref } from './contact-href';

/** Whom to call or write to, as a link where it can be one. */
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
