/**
 * The input of a filter. `choice`: a value of a closed list (`isOpen`: a link may have any other value). `text`: free
 * text. `moment`: a date and time in the chosen zone.
 */
export type FilterInput =
  | { kind: 'text'; label: string; placeholder?: string }
  | { kind: 'moment'; label: string }
  | {
      kind: 'choice';
      label: string;
      choices: readonly { value: string; label: string }[];
      isOpen?: boolean;
      /** Takes what is typed, for choices that the api searches. */
      onSearch?: (text: string) => void;
    };

/** One filter of a list; filters named `from` and `to` get presets. */
export type Filter<Name extends string> = FilterInput & { name: Name };
