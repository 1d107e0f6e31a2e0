import { ExactText } from './exact-text';

/** A value as JSON, or a text that is read as JSON when it is, with a button to copy exactly what is shown. */
export const JsonView = ({ value, what }: { value: unknown; what: string }) => (
  <ExactText
    text={typeof value === 'string' ? indented(value) : JSON.stringify(value, null, 2)}
    what={what}
    isWrapped={false}
  />
);

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
