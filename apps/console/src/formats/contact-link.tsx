import { Anchor } from '@mantine/core';
import { Fragment } from 'react';
import { contactHref } from './contact-href';

/** A contact; each part between commas is a link when it has a telephone number or an address. */
export function ContactLink({ contact }: { contact: string | null }) {
  if (contact === null) return <span>No contact</span>;
  return contact.split(/,\s*/).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && ', '}
      <Part contact={part} />
    </Fragment>
  ));
}

function Part({ contact }: { contact: string }) {
  const href = contactHref(contact);
  return href === null ? (
    <span>{contact}</span>
  ) : (
    <Anchor href={href} inherit>
      {contact}
    </Anchor>
  );
}
