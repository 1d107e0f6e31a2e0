import { Textarea, type TextareaProps } from '@mantine/core';

/** The field for the reason of a change, which the audit log keeps. */
export const ReasonField = ({ required = true, ...props }: TextareaProps) => (
  <Textarea
    label="Reason"
    description={`Recorded in the audit log with your name.${required ? '' : ' Optional.'}`}
    required={required}
    maxLength={500}
    autosize
    minRows={2}
    {...props}
  />
);
