import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface TextLinkProps extends AnchorProps {
  to: string;
  children: ReactNode;
}

/** A link to another screen within a text, as large as that text. */
export const TextLink = (props: TextLinkProps) => (
  <Anchor component={Link} inherit={props.size === undefined} {...props} />
);
