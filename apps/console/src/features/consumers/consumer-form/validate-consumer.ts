import { secondsOf, type ConsumerValues } from './consumer-values';

type Field = keyof ConsumerValues;
type Fault = string | null;

const isUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** What can be said before the api is asked, which has the last word; by field. */
export const VALIDATE = {
  name: (name: string): Fault => (name.trim() === '' ? 'Give it a name' : null),
  url: (url: string): Fault => (isUrl(url) ? null : 'Give the whole URL, e.g. https://consumer.example/hook'),
  eventTypes: (types: readonly string[]): Fault => (types.length === 0 ? 'Choose at least one' : null),
  retrySchedule: (typed: string): Fault =>
    secondsOf(typed).every(Number.isSafeInteger)
      ? null
      : 'Give whole numbers of seconds, separated by commas',
  timeoutMs: (value: number | string): Fault => (value === '' ? 'Give a number' : null),
  maxConcurrency: (value: number | string): Fault => (value === '' ? 'Give a number' : null),
} satisfies Partial<Record<Field, unknown>>;
